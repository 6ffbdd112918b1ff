// SPDX-License-Identifier: MIT
//
// membrane.c: see membrane.h.

#include "membrane.h"

#include "area_ratio.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PULSE 0.2 /* [s] */

#define SAMPLE 5e-3 /* [s] */

cliMembrane cliMembrane_Default(void)
{
    return (cliMembrane){ .cells = { 10, 12 }, .side = 0.1, .duration = 9.7 };
}

double cliMembrane_Height(const cliMembrane* membrane)
{
    return membrane->cells[1] * membrane->side * sqrt(0.75);
}

// ---- irregular meshes -----------------------------------------------------------------------------------------------

// Rows of nodes, those with odd numbers shifted by half a side and with one node more, so that both borders are straight.
typedef struct Mesh
{
    int nodes, triangles;
    double* x;  // x y
    int* corner;
} Mesh;

static int RowStart(const cliMembrane* m, int row)
{
    return row * (m->cells[0] + 1) + row / 2;
}

static int RowCount(const cliMembrane* m, int row)
{
    return m->cells[0] + 1 + row % 2;
}

// In (-1, 1), the same everywhere (Steele, Lea, Flood 2014).
static double Jitter(uint64_t* bits)
{
    uint64_t z = *bits += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

static void PlaceNodes(const cliMembrane* m, Mesh* mesh)
{
    uint64_t bits = (uint64_t)m->seed;
    double width = m->cells[0] * m->side, height = cliMembrane_Height(m);
    for (int row = 0; row <= m->cells[1]; ++row)
    {
        for (int i = 0; i < RowCount(m, row); ++i)
        {
            double along = row % 2 == 0 ? i : i == 0 ? 0 : i == m->cells[0] + 1 ? m->cells[0] : i - 0.5;
            bool inside = row > 0 && row < m->cells[1] && i > 0 && i < RowCount(m, row) - 1;
            double dx = Jitter(&bits), dy = Jitter(&bits), *x = mesh->x + 2 * (RowStart(m, row) + i);
            x[0] = along * m->side - width / 2 + (inside ? 0.25 * m->side * dx : 0);
            x[1] = height * row / m->cells[1] - height / 2 + (inside ? 0.25 * m->side * dy : 0);
        }
    }
}

static void AddTriangle(Mesh* mesh, int a, int b, int c)
{
    int* corner = mesh->corner + 3 * mesh->triangles++;
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

// Between two rows: those with a side on the shorter row, then those with a side on the longer one.
static void PlaceTriangles(const cliMembrane* m, Mesh* mesh)
{
    for (int row = 0; row < m->cells[1]; ++row)
    {
        bool up = row % 2 == 0;  // the lower row is the shorter one
        int few = RowStart(m, up ? row : row + 1), many = RowStart(m, up ? row + 1 : row);
        for (int i = 0; i < m->cells[0]; ++i)
        {
            AddTriangle(mesh, up ? few + i : few + i + 1, up ? few + i + 1 : few + i, many + i + 1);
        }
        for (int i = 0; i <= m->cells[0]; ++i)
        {
            AddTriangle(mesh, up ? many + i + 1 : many + i, up ? many + i : many + i + 1, few + i);
        }
    }
}

static bool MakeMesh(const cliMembrane* m, Mesh* mesh)
{
    mesh->nodes = RowStart(m, m->cells[1] + 1);
    mesh->x = calloc(2 * (size_t)mesh->nodes, sizeof(double));
    mesh->corner = calloc(3 * (size_t)m->cells[1] * (size_t)(2 * m->cells[0] + 1), sizeof(int));
    if (mesh->x == NULL || mesh->corner == NULL)
    {
        return false;
    }
    PlaceNodes(m, mesh);
    PlaceTriangles(m, mesh);
    return true;
}

// A third of the area of the triangles at every node, h = rho = 1.
static void WriteMasses(const Mesh* mesh, FILE* file)
{
    for (int n = 0; n < mesh->nodes; ++n)
    {
        double mass = 0;
        for (int t = 0; t < mesh->triangles; ++t)
        {
            const int* c = mesh->corner + 3 * t;
            const double *a = mesh->x + 2 * c[0], *b = mesh->x + 2 * c[1], *d = mesh->x + 2 * c[2];
            double area = 0.5 * ((b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0]));
            mass += c[0] == n || c[1] == n || c[2] == n ? area / 3 : 0;
        }
        fprintf(file, "%s%.17g", n > 0 ? ", " : "", mass);
    }
}

static void WriteBody(const cliMembrane* m, const Mesh* mesh, FILE* file)
{
    bool listed = m->model == cli_lloydMembrane;
    fprintf(file, "# %d triangles of no equal sides, made by `resilin reproduce`.\nplane: xy\ngravity: [0, 0, 0]\n",
            mesh->triangles);
    fprintf(file,
            "bodies:\n  - name: membrane\n    repulsion: none\n    material: {young: 16, poisson: 0.3333333333333333, "
            "density: 1}\n");
    if (listed)
    {
        fprintf(
            file,
            "    network:\n      type: explicit\n      springs_from: elements\n      stiffness: %.17g\n      masses: [",
            16 * sqrt(3.0) / 4);
        WriteMasses(mesh, file);
        fprintf(file, "]\n      nodes:\n");
    }
    else
    {
        fprintf(
            file,
            "    model: {type: springs}\n    network: {type: sheet, thickness: 1}\n    shape:\n      type: mesh\n      "
            "vertices:\n");
    }
    for (int n = 0; n < mesh->nodes; ++n)
    {
        fprintf(file, "        - [%.17g, %.17g, 0]\n", mesh->x[2 * n], mesh->x[2 * n + 1]);
    }
    fprintf(file, "      triangles:\n");
    for (int t = 0; t < mesh->triangles; ++t)
    {
        const int* c = mesh->corner + 3 * t;
        fprintf(file, "        - [%d, %d, %d]\n", c[0], c[1], c[2]);
    }
    double top = 0.4995 * cliMembrane_Height(m);
    fprintf(file, "constraints:\n  - {type: pin, nodes: {type: plane, point: [0, %.17g, 0], normal: [0, -1, 0]}}\n",
            -top);
    fprintf(file, "loads:\n  - {type: acceleration, nodes: {type: all}, acceleration: [0, -1.1, 0], course: {type: "
                  "pulse, duration: "
                  "1000}}\n");
    fprintf(file,
            "time: {duration: 9.7, step: 5.0e-4, integrator: position_verlet, threads: 1}\noutput: {frames: 10}\n");
}

static bool WriteScene(const cliMembrane* m, cliStudy* study, const char* name)
{
    Mesh mesh = { 0 };
    FILE* file = cliStudy_CreateFile(study, name);
    bool made = file != NULL && MakeMesh(m, &mesh);
    if (made)
    {
        WriteBody(m, &mesh, file);
    }
    free(mesh.x);
    free(mesh.corner);
    bool good = file != NULL && ferror(file) == 0;
    good = file != NULL && fclose(file) == 0 && good;
    return cliStudy_Check(study, good && made ? rsl_ok : rsl_ioError, NULL);
}

// ---- running --------------------------------------------------------------------------------------------------------

static bool Open(const cliMembrane* m, cliStudy* study, cliLoaded* loaded)
{
    char name[80] = "lloyd-fig-1-to-5.yaml";
    bool good = true;
    double height = cliMembrane_Height(m);
    memset(loaded, 0, sizeof *loaded);
    cliStudy_Reset(study);
    if (m->seed != 0)
    {
        snprintf(name, sizeof name, "lloyd-fig-5-%s-%d.yaml", m->model == cli_lloydMembrane ? "lloyd" : "sheet",
                 m->seed);
        good = WriteScene(m, study, name);
    }
    else if (m->cells[0] != 10 || m->cells[1] != 12 || m->side != 0.1)
    {
        cliStudy_Set(study, "bodies.membrane.network.size", "[%.17g, %.17g]", m->cells[0] * m->side, height);
        cliStudy_Set(study, "bodies.membrane.network.cells", "[%d, %d]", m->cells[0], m->cells[1]);
        cliStudy_Set(study, "constraints.0.nodes.point", "[0, %.6g, 0]", -0.4995 * height);
    }
    if (m->model == cli_linearMembrane)
    {
        cliStudy_Set(study, "bodies.membrane.model.type", "fem");
        cliStudy_Set(study, "bodies.membrane.model.law", "linear");
    }
    if (m->model == cli_angleMembrane)
    {
        cliStudy_Set(study, "bodies.membrane.model.type", "angles");
    }
    if (m->repels)
    {
        cliStudy_Set(study, "bodies.membrane.repulsion", "clamped");
    }
    if (m->damping[0] > 0 || m->damping[1] > 0)
    {
        cliStudy_Set(study, "bodies.membrane.material.mass_damping", "%g", m->damping[0]);
        cliStudy_Set(study, "bodies.membrane.material.stiffness_damping", "%g", m->damping[1]);
    }
    cliStudy_Set(study, "loads.0.acceleration", "[0, %.9g, 0]", m->push);
    if (m->pulse)
    {
        cliStudy_Set(study, "loads.0.course.duration", "%g", PULSE);
    }
    if (m->coarse)
    {
        cliStudy_Set(study, "time.step", "2.5e-3");
    }
    cliStudy_Set(study, "time.duration", "%g", m->duration);
    return good && cliStudy_Open(study, name, loaded);
}

// Mean height of the nodes that were at the top, above where they started, over the height.
static double TopOf(const cliLoaded* loaded, const double* start, double* x, double height)
{
    double sum = 0;
    int count = 0;
    rslState_Positions(loaded->model, loaded->state, 0, loaded->model->nodeCount, x);
    for (int i = 0; i < loaded->model->nodeCount; ++i)
    {
        bool top = start[3 * i + 1] > 0.4995 * height;
        sum += top ? x[3 * i + 1] - start[3 * i + 1] : 0;
        count += top;
    }
    return sum / count / height;
}

// Times at which the top passes a level upwards.
static int Crossings(const cliSwing* swing, int from, double level, double* first, double* last)
{
    int count = 0;
    for (int i = from; i + 1 < swing->count; ++i)
    {
        double a = swing->tip[i] - level, b = swing->tip[i + 1] - level;
        if (a < 0 && b >= 0)
        {
            double at = swing->time[i] + (swing->time[i + 1] - swing->time[i]) * a / (a - b);
            *first = count == 0 ? at : *first;
            *last = at;
            count += 1;
        }
    }
    return count;
}

// Whole cycles about their own mean.
static double FindPeriod(const cliSwing* swing, double after)
{
    int from = 0, count = 0;
    while (from < swing->count && swing->time[from] < after)
    {
        from += 1;
    }
    double first = after, last = INFINITY, level = 0;
    for (int turn = 0; turn < 4; ++turn)
    {
        double sum = 0;
        int samples = 0;
        for (int i = from; i < swing->count; ++i)
        {
            bool within = swing->time[i] >= first && swing->time[i] < last;
            sum += within ? swing->tip[i] : 0;
            samples += within;
        }
        level = sum / samples;
        count = Crossings(swing, from, level, &first, &last);
    }
    return count > 1 ? (last - first) / (count - 1) : NAN;
}

// The slope of the logs of its turning points, of both signs, by the parabolas through them.
static double FindDecay(const cliSwing* swing, double after)
{
    double n = 0, t1 = 0, t2 = 0, y1 = 0, ty = 0;
    for (int i = 1; i + 1 < swing->count; ++i)
    {
        double a = swing->tip[i - 1], b = swing->tip[i], c = swing->tip[i + 1];
        if (swing->time[i] <= after || !((b - a) * (c - b) <= 0) || b == a || b * (2 * b - a - c) <= 0)
        {
            continue;
        }
        double bend = a - 2 * b + c, shift = 0.5 * (a - c) / bend,
               t = swing->time[i] + shift * (swing->time[i + 1] - swing->time[i]);
        double y = log(fabs(b - 0.125 * (a - c) * (a - c) / bend));
        n += 1;
        t1 += t;
        t2 += t * t;
        y1 += y;
        ty += t * y;
    }
    return -(n * ty - t1 * y1) / (n * t2 - t1 * t1);
}

static bool Listen(const cliMembrane* m, cliStudy* study, cliLoaded* loaded, bool look, cliSwing* swing)
{
    int samples = (int)(m->duration / SAMPLE + 0.5), each = (int)(SAMPLE / cliLoaded_Step(loaded) + 0.5);
    size_t numbers = 3 * (size_t)loaded->model->nodeCount;
    double *start = calloc(2 * numbers, sizeof(double)), *x = start != NULL ? start + numbers : NULL;
    swing->time = calloc((size_t)samples + 1, sizeof(double));
    swing->tip = calloc((size_t)samples + 1, sizeof(double));
    bool memory = start != NULL && swing->time != NULL && swing->tip != NULL;
    bool good = cliStudy_Check(study, memory ? rsl_ok : rsl_outOfMemory, NULL);
    rslReport report = { 0 };
    swing->least = look ? 1 : NAN;
    if (good)
    {
        rslState_Positions(loaded->model, loaded->state, 0, loaded->model->nodeCount, start);
    }
    for (int s = 0; good && s <= samples && !swing->collapsed; ++s)
    {
        good = s == 0 || cliStudy_Check(study, cliLoaded_Take(loaded, (uint64_t)each, &report), &report);
        swing->time[s] = rslState_Time(loaded->state);
        swing->tip[s] = TopOf(loaded, start, x, cliMembrane_Height(m));
        swing->count = s + 1;
        swing->peak = fmax(swing->peak, fabs(swing->tip[s]));
        swing->least = look ? fmin(swing->least, cliAreaRatio_Least(loaded->model, loaded->state, 0, NULL)) : NAN;
        swing->collapsed = look && swing->least <= 0;
    }
    free(start);
    return good;
}

static void Draw(cliStudy* study, const cliLoaded* loaded, const char* caption)
{
    rslPictureDef def = rslDefaultPictureDef();
    def.width = def.height = 500;
    def.style = rsl_springPicture;
    def.drawLabels = false;
    (void)cliStudy_Draw(study, loaded, &def, caption);
}

bool cliMembrane_Swing(const cliMembrane* membrane, cliStudy* study, bool look, const char* caption, cliSwing* swing)
{
    cliLoaded loaded;
    *swing = (cliSwing){ 0 };
    bool good = Open(membrane, study, &loaded) && Listen(membrane, study, &loaded, look, swing);
    if (good && !swing->collapsed)
    {
        double after = membrane->pulse ? PULSE : 0;
        swing->period = FindPeriod(swing, after);
        swing->decay = FindDecay(swing, after);
    }
    if (good && caption != NULL && !cliStudy_IsQuick(study))
    {
        Draw(study, &loaded, caption);
    }
    cliLoaded_Free(&loaded);
    return good;
}

void cliSwing_Free(cliSwing* swing)
{
    free(swing->time);
    free(swing->tip);
    *swing = (cliSwing){ 0 };
}

void cliSwing_Scale(cliSwing* swing, double factor)
{
    for (int i = 0; i < swing->count; ++i)
    {
        swing->tip[i] *= factor;
    }
    swing->peak *= fabs(factor);
}

void cliSwing_Plot(const cliSwing* swing, cliPanel* panel, const char* name, cliStyle style)
{
    cliCurve* curve = cliPanel_AddCurve(panel, name, style);
    for (int i = 0; i < swing->count && swing->time[i] <= 5; i += 4)
    {
        cliCurve_Add(curve, swing->time[i], 100 * swing->tip[i]);
    }
}
