// SPDX-License-Identifier: MIT
//
// studio.c: the calls of the page. One module has one stage; text goes in and out as UTF-8, everything else as numbers and addresses.
//
// A scene comes as the nodes of a tree (studio_Begin, studio_Add), is given its meaning (studio_Read), its meshes (studio_GiveMesh), and is
// built (studio_Build). What fails leaves the stage as it is, and says why (studio_Message).

#include "look.h"
#include "resilin/export.h"
#include "resilin/measure.h"
#include "resilin/tree.h"

#include <emscripten.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CALL EMSCRIPTEN_KEEPALIVE

static struct
{
    rslTree tree;
    rslScene scene;  // that was read and is to be built
    bool staged;
    bool kept;  // the motion and the hands of the stage before
    webStage stage;
    webLook look;
    webCrew crew;
    rslReport report;
    char* text;                     // what was asked for last
    rslMeasurements* measurements;  // of the last test
} studio;

static rslStatus Begin(void)
{
    studio.report = (rslReport){ 0 };
    return rsl_ok;
}

// ---- messages -------------------------------------------------------------------------------------------------------

CALL int studio_MessageCount(void)
{
    return studio.report.count;
}

CALL rslSeverity studio_Severity(int message)
{
    return studio.report.messages[message].severity;
}

CALL int studio_Line(int message)
{
    return studio.report.messages[message].place.line;
}

CALL int studio_Column(int message)
{
    return studio.report.messages[message].place.column;
}

CALL const char* studio_Message(int message)
{
    return studio.report.messages[message].text;
}

CALL const char* studio_Version(void)
{
    return rslVersion();
}

// ---- scenes ---------------------------------------------------------------------------------------------------------

CALL void studio_Begin(void)
{
    rslTree_Free(&studio.tree);
    studio.tree = rslTree_Make(NULL);
}

CALL int studio_Add(int parent, int kind, const char* text, int length, int quoted, int line, int column)
{
    return rslTree_Add(&studio.tree, parent, (rslTreeKind)kind, text, (size_t)length, quoted != 0,
                       (rslPlace){ line, column });
}

// The meaning of the tree.
CALL rslStatus studio_Read(void)
{
    Begin();
    rslScene_Free(&studio.scene);
    studio.scene = rslDefaultScene();
    rslStatus status = rslScene_FromTree(&studio.tree, NULL, &studio.scene, &studio.report);
    rslTree_Free(&studio.tree);
    studio.tree = (rslTree){ 0 };
    return status;
}

// The file of the first mesh that is still to be given; NULL: there is none.
CALL const char* studio_MeshFile(void)
{
    const rslShapeDef* shape = NULL;
    return rslScene_MeshShapes(&studio.scene, &shape, 1) > 0 ? shape->file : NULL;
}

// Where the scene names it.
CALL int studio_MeshLine(void)
{
    const rslShapeDef* shape = NULL;
    return rslScene_MeshShapes(&studio.scene, &shape, 1) > 0 ? shape->filePlace.line : 0;
}

CALL rslStatus studio_GiveMesh(const double* vertices, int vertexCount, const int* triangles, int triangleCount)
{
    const rslShapeDef* shape = NULL;
    if (rslScene_MeshShapes(&studio.scene, &shape, 1) == 0)
    {
        return rsl_badInput;
    }
    return rslScene_GiveMesh(&studio.scene, shape, vertices, vertexCount, triangles, triangleCount);
}

// The same of tetrahedra.
CALL const char* studio_TetrahedraFile(void)
{
    const rslNetworkDef* network = NULL;
    return rslScene_TetrahedraNetworks(&studio.scene, &network, 1) > 0 ? network->file : NULL;
}

CALL rslStatus studio_GiveTetrahedra(const char* text, int length)
{
    const rslNetworkDef* network = NULL;
    if (rslScene_TetrahedraNetworks(&studio.scene, &network, 1) == 0)
    {
        return rsl_badInput;
    }
    return rslScene_GiveTetrahedra(&studio.scene, network, text, (size_t)length, &studio.report);
}

// Build the scene that was read. keep: with the motion of the present stage, where it has the same bodies. 0, or a status.
CALL rslStatus studio_Build(int keep)
{
    Begin();
    webStage stage;
    webLook look;
    rslStatus status = webStage_Make(&stage, &studio.scene, &studio.crew, &studio.report);
    if (status != rsl_ok)
    {
        return status;
    }
    status = webLook_Make(&look, &stage, &studio.report);
    if (status != rsl_ok)
    {
        webStage_Free(&stage);
        return status;
    }
    studio.kept = studio.staged && keep != 0 && webStage_TakeUp(&stage, &studio.stage);
    if (studio.staged)
    {
        webStage_Free(&studio.stage);
        webLook_Free(&studio.look);
    }
    studio.stage = stage;
    studio.look = look;
    studio.look.arrays.numbers = studio.look.numbers;
    studio.staged = true;
    return rsl_ok;
}

CALL int studio_Kept(void)
{
    return studio.kept;
}

// ---- motion ---------------------------------------------------------------------------------------------------------

CALL rslStatus studio_Reset(void)
{
    Begin();
    return webStage_Reset(&studio.stage);
}

CALL rslStatus studio_Step(int steps)
{
    Begin();
    return webStage_Step(&studio.stage, steps, &studio.report);
}

// Of a scene at rest: once more, with what hands do now.
CALL rslStatus studio_Settle(void)
{
    Begin();
    return webStage_Settle(&studio.stage, &studio.report);
}

// Whether more of that would change nothing.
CALL int studio_Settled(void)
{
    return webHands_AtRest(&studio.stage.hands);
}

CALL double studio_Time(void)
{
    return rslState_Time(studio.stage.state);
}

// Of one step [s].
CALL double studio_StepLength(void)
{
    double step = studio.stage.state->step;
    return step > 0.0 ? step : rslSolver_Stability(studio.stage.solver).step;
}

CALL double studio_Duration(void)
{
    return studio.stage.scene.time.duration;
}

CALL int studio_IsStatic(void)
{
    return studio.stage.scene.time.integrator == rsl_static;
}

CALL const char* studio_Title(void)
{
    return studio.stage.scene.title != NULL ? studio.stage.scene.title : "";
}

CALL const char* studio_Vectors(void)
{
    return rslSolver_Vectors(studio.stage.solver);
}

// Threads that the stage is large enough for.
CALL int studio_MostThreads(void)
{
    return webCrew_Most(studio.stage.model);
}

// How many step from now on; returns how many there are.
CALL int studio_SetThreads(int threads)
{
    return webCrew_Set(&studio.crew, threads);
}

// Half a hash each, since JavaScript has no whole numbers of 64 bits here.
CALL uint32_t studio_Hash(int high)
{
    uint64_t hash = rslState_Hash(studio.stage.state);
    return (uint32_t)(high != 0 ? hash >> 32 : hash);
}

// ---- looking --------------------------------------------------------------------------------------------------------

CALL const webArrays* studio_Look(int field)
{
    webLook_Take(&studio.look, &studio.stage, (webField)field);
    return &studio.look.arrays;
}

CALL void studio_Count(void)
{
    webLook_Count(&studio.look, &studio.stage);
}

CALL const char* studio_NumberName(int number)
{
    return webNumber_Name(number);
}

CALL const char* studio_ProbeName(int column)
{
    static char name[160];
    name[0] = 0;
    if (studio.stage.probes != NULL && column < studio.look.arrays.probeCount)
    {
        (void)rslProbes_ColumnName(studio.stage.probes, column, name, sizeof name);
    }
    return name;
}

CALL const char* studio_BodyName(int body)
{
    return body < studio.stage.model->bodyCount ? studio.stage.model->bodies[body].name : "";
}

// The nodes of a body are those from here to where those of the next begin.
CALL int studio_BodyNode(int body)
{
    const rslModel* model = studio.stage.model;
    return body < model->bodyCount ? model->bodies[body].firstNode : model->nodeCount;
}

// The place that arrays are relative to, the bounds there, and the floor: 3 + 6 + 6 numbers.
CALL const double* studio_Frame(void)
{
    static double frame[15];
    const webLook* look = &studio.look;
    const rslVec3 vectors[5] = { look->origin, look->bounds.lower, look->bounds.upper, look->floor.point,
                                 look->floor.normal };
    memcpy(frame, vectors, sizeof frame);
    return frame;
}

// ---- hands ----------------------------------------------------------------------------------------------------------

static rslVec3 InWorld(double x, double y, double z)
{
    rslVec3 o = studio.look.origin;
    return (rslVec3){ o.x + x, o.y + y, o.z + z };
}

CALL int studio_Grab(double x, double y, double z, double radius)
{
    return webHands_Grab(&studio.stage.hands, studio.stage.state, InWorld(x, y, z), radius);
}

CALL int studio_Pull(int hand, double x, double y, double z)
{
    return webHands_Pull(&studio.stage.hands, hand, InWorld(x, y, z));
}

CALL int studio_Release(int hand)
{
    return webHands_Release(&studio.stage.hands, hand);
}

CALL int studio_Holds(int hand)
{
    return webHands_Holds(&studio.stage.hands, hand);
}

CALL void studio_Push(double ax, double ay, double az, double bx, double by, double bz, double radius)
{
    webHands_Push(&studio.stage.hands, InWorld(ax, ay, az), InWorld(bx, by, bz), radius);
}

CALL void studio_PutAway(void)
{
    webHands_PutAway(&studio.stage.hands);
}

static rslVec3 Middle(rslVec3 a, rslVec3 b)
{
    return (rslVec3){ 0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z) };
}

// Place and force of a hand, or, with -1, of the tool: its middle and the force on it.
CALL const double* studio_HandForce(int hand)
{
    static double numbers[6];
    const webHands* hands = &studio.stage.hands;
    const webHand* held = &hands->list[hand >= 0 && hand < WEB_HANDS ? hand : 0];
    rslVec3 place = hand < 0 ? Middle(hands->tool.ends[0], hands->tool.ends[1]) : held->place;
    rslVec3 force = hand < 0 ? hands->tool.force : held->force, o = studio.look.origin;
    const double all[6] = { place.x - o.x, place.y - o.y, place.z - o.z, force.x, force.y, force.z };
    memcpy(numbers, all, sizeof numbers);
    return numbers;
}

// ---- taking home ----------------------------------------------------------------------------------------------------

// The scene as text, with everything that was filled in.
CALL const char* studio_Write(void)
{
    size_t length = rslScene_Write(&studio.stage.scene, NULL, 0);
    free(studio.text);
    studio.text = malloc(length + 1);
    if (studio.text != NULL)
    {
        (void)rslScene_Write(&studio.stage.scene, studio.text, length + 1);
    }
    return studio.text;
}

// The surface as it is now, into a file of the module's own.
CALL rslStatus studio_WriteGlb(const char* path)
{
    Begin();
    rslSnapshot_Take(studio.look.snapshot, studio.stage.solver, studio.stage.state);
    return rslGlb_Write(path, studio.look.snapshot, NULL, &studio.report);
}

// ---- the testing machine --------------------------------------------------------------------------------------------

// E and nu of a body by tension, as rslMeasure_Run does it.
CALL rslStatus studio_Measure(int body)
{
    Begin();
    rslMeasureDef def = rslDefaultMeasureDef();
    def.tests = rsl_tensionTest;
    def.threads = 1;
    rslMeasurements_Free(studio.measurements);
    studio.measurements = NULL;
    return rslMeasure_Run(&studio.stage.scene, body, &def, NULL, &studio.measurements, &studio.report);
}

CALL int studio_MeasurementCount(void)
{
    return studio.measurements != NULL ? studio.measurements->count : 0;
}

CALL const char* studio_Quantity(int i)
{
    return studio.measurements->list[i].quantity;
}

CALL const char* studio_Unit(int i)
{
    return studio.measurements->list[i].unit;
}

CALL double studio_Target(int i)
{
    return studio.measurements->list[i].target;
}

CALL double studio_Ours(int i)
{
    return studio.measurements->list[i].ours;
}

// ---- materials ------------------------------------------------------------------------------------------------------

CALL const char* studio_MaterialName(int i)
{
    int count = 0;
    const rslNamedMaterial* table = rslMaterial_Table(&count);
    return i < count ? table[i].name : NULL;
}

// E, nu, density.
CALL double studio_MaterialNumber(int i, int which)
{
    int count = 0;
    const rslNamedMaterial* m = rslMaterial_Table(&count) + i;
    return which == 0 ? m->young : which == 1 ? m->poisson : m->density;
}
