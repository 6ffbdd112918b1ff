// SPDX-License-Identifier: MIT
//
// fingerprint.c: a hash of everything in a model that physics depends on: not of names, predicted moduli, or surfaces
// that are only drawn.

#include "brick.h"
#include "build.h"
#include "collide_shape.h"
#include "collision.h"
#include "hash.h"
#include "lattice.h"
#include "spread.h"

static uint64_t HashCourse(uint64_t hash, const rslCourse* course)
{
    hash = rslHash_Int(hash, course->type);
    hash = rslHash_Int(hash, course->smooth);
    hash =
        rslHash_Doubles(hash, (const double[]){ course->start, course->duration, course->frequency, course->phase }, 4);
    return rslHash_Doubles(hash, course->points, 2 * (size_t)course->pointCount);
}

// One constant for the edges, one for the face diagonals, none else.
static bool HasTwoShells(const rslLattice* lattice)
{
    bool two = true;
    for (int d = 0; d < RSL_LATTICE_BONDS; ++d)
    {
        int shell = rslLattice_Shell(d);
        double expected = shell == 2 ? 0.0 : lattice->stiffness[shell == 0 ? 0 : RSL_LATTICE_FACE];
        two = two && lattice->stiffness[d] == expected;
    }
    return two;
}

static uint64_t HashLattice(uint64_t hash, const rslLattice* lattice)
{
    size_t cells = (size_t)lattice->cells[0] * (size_t)lattice->cells[1] * (size_t)lattice->cells[2];
    hash = rslHash_Int(hash, lattice->construction);
    hash = rslHash_Ints(hash, lattice->cells, 3);
    hash = rslHash_Vec3(hash, lattice->origin);
    hash = rslHash_Doubles(
        hash, (const double[]){ lattice->spacing, lattice->stiffness[0], lattice->stiffness[RSL_LATTICE_FACE] }, 3);
    // further constants where they say more
    if (!HasTwoShells(lattice))
    {
        hash = rslHash_Doubles(hash, lattice->stiffness, RSL_LATTICE_BONDS);
    }
    hash = lattice->law == rsl_linearSpring ? hash : rslHash_Int(hash, lattice->law);
    hash = lattice->stiff == lattice->weight ? hash : rslHash_Doubles(hash, lattice->stiff, cells);
    hash = lattice->damp == NULL ? hash : rslHash_Doubles(hash, lattice->damp, cells);
    return rslHash_Doubles(hash, lattice->weight, cells);
}

static uint64_t HashNetwork(uint64_t hash, const rslNetwork* network, int nodeCount)
{
    hash = rslHash_Doubles(hash, network->rest, 3 * (size_t)nodeCount);
    hash = rslHash_Int(hash, network->springCount);
    for (int i = 0; i < network->springCount; ++i)
    {
        const rslSpring* spring = &network->springs[i];
        hash = rslHash_Int(hash, spring->a);
        hash = rslHash_Int(hash, spring->b);
        hash = rslHash_Double(hash, spring->stiffness);
        hash = rslHash_Double(hash, spring->damping);
        hash = rslHash_Double(hash, spring->restLength);
    }
    return network->law == rsl_linearSpring ? hash : rslHash_Int(hash, network->law);
}

static uint64_t HashElements(uint64_t hash, const rslElements* elements)
{
    hash = rslHash_Int(hash, elements->kind);
    hash = rslHash_Int(hash, elements->law);
    hash = rslHash_Int(hash, elements->incompatible);
    size_t count = (size_t)elements->count;
    int corners = rslElements_Corners(elements);
    hash = rslHash_Ints(hash, elements->nodes, (size_t)corners * count);
    hash = rslHash_Doubles(hash, elements->weight, count);
    hash = elements->damping == NULL ? hash : rslHash_Doubles(hash, elements->damping, count);
    if (elements->constants != NULL)
    {
        size_t numbers = (size_t)RSL_BRICK_NUMBERS * (size_t)elements->recordCount;
        hash = rslHash_Doubles(hash, elements->constants, numbers);
        hash = elements->record == NULL ? hash : rslHash_Ints(hash, elements->record, count);
    }
    hash = elements->ratio == NULL ? hash : rslHash_Doubles(hash, elements->ratio, count);
    if (elements->kind == rsl_boxElements)
    {
        hash = rslHash_Double(hash, elements->edgeModulus);
        hash = rslHash_Int(hash, elements->faceDiagonals);
    }
    return rslHash_Doubles(hash, (const double[]){ elements->young, elements->poisson, elements->thickness }, 3);
}

// Clamped repulsion belongs to the physics too: a run that comes near to collapse goes on with it.
static uint64_t HashRepulsion(uint64_t hash, const rslRepulsion* repulsion)
{
    hash = rslHash_Int(hash, repulsion->law);
    hash = rslHash_Int(hash, repulsion->corners);
    hash = rslHash_Int(hash, repulsion->count);
    hash = rslHash_Double(hash, repulsion->stiffness);
    size_t count = (size_t)repulsion->count, corners = (size_t)repulsion->corners;
    hash = repulsion->nodes == NULL ? hash : rslHash_Ints(hash, repulsion->nodes, corners * count);
    hash = repulsion->stiffnesses == NULL ? hash : rslHash_Doubles(hash, repulsion->stiffnesses, count);
    size_t heights = repulsion->runs != NULL ? 20 : (corners == 8 ? 20 : corners) * count;
    return repulsion->parts == NULL ? hash : rslHash_Doubles(hash, repulsion->parts, heights);
}

static uint64_t HashBending(uint64_t hash, const rslBending* bending)
{
    size_t rows = RSL_HINGE_ROW * (size_t)bending->count;
    hash = rslHash_Ints(hash, bending->nodes, 4 * (size_t)bending->count);
    hash = rslHash_Ints(hash, bending->others, rows);
    return rslHash_Doubles(hash, bending->stiffness, rows);
}

static uint64_t HashBody(uint64_t hash, const rslBody* body)
{
    const rslFrame* frame = &body->frame;
    hash = rslHash_Int(hash, body->kind);
    hash = rslHash_Int(hash, body->nodeCount);
    hash = rslHash_Vec3(hash, frame->origin);
    hash = rslHash_Doubles(
        hash, (const double[]){ frame->rotation.w, frame->rotation.x, frame->rotation.y, frame->rotation.z }, 4);
    hash = rslHash_Vec3(hash, frame->velocity);
    hash = rslHash_Vec3(hash, body->spin);
    hash = rslHash_Double(hash, body->massDamping);
    hash = rslHash_Double(hash, body->stiffnessDamping);
    hash = body->elements.count == 0 ? hash : HashElements(hash, &body->elements);
    hash = body->repulsion.count == 0 ? hash : HashRepulsion(hash, &body->repulsion);
    hash = body->nodeDamping == NULL ? hash : rslHash_Doubles(hash, body->nodeDamping, (size_t)body->nodeCount);
    hash = body->bending.count == 0 ? hash : HashBending(hash, &body->bending);
    const rslDispersion* dispersion = &body->dispersion;
    if (rslBody_Disperses(body))
    {
        hash = rslHash_Int(hash, dispersion->variant + (dispersion->lag ? rsl_dispersionVariantCount : 0));
        hash = rslHash_Double(hash, dispersion->q);
        hash = rslHash_Double(hash, dispersion->scale);
        hash = dispersion->nodeQ == NULL ? hash : rslHash_Doubles(hash, dispersion->nodeQ, (size_t)body->nodeCount);
    }
    return body->kind == rsl_latticeBody ? HashLattice(hash, &body->lattice)
                                         : HashNetwork(hash, &body->network, body->nodeCount);
}

static uint64_t HashSurface(uint64_t hash, const rslSurface* surface)
{
    hash = rslHash_Ints(hash, surface->triangles, 3 * (size_t)surface->triangleCount);
    hash = rslHash_Ints(hash, surface->stencilNodes, 8 * (size_t)surface->vertexCount);
    return rslHash_Doubles(hash, surface->stencilWeights, 8 * (size_t)surface->vertexCount);
}

static uint64_t HashEnclosed(uint64_t hash, const rslBody* body)
{
    const rslEnclosed* enclosed = &body->enclosed;
    hash = rslHash_Int(hash, enclosed->method);
    hash = rslHash_Doubles(hash, (const double[]){ enclosed->stiffness, enclosed->radial }, 2);
    hash = rslHash_Ints(hash, enclosed->triangles, 3 * (size_t)enclosed->triangleCount);
    if (enclosed->centreOf != NULL)
    {
        hash = rslHash_Ints(hash, enclosed->centreOf, (size_t)body->surface.vertexCount);
    }
    return HashSurface(hash, &body->surface);
}

static uint64_t HashLoad(uint64_t hash, const rslModel* model, const rslLoad* load)
{
    hash = rslHash_Int(hash, load->type);
    hash = rslHash_Ints(hash, load->nodes, (size_t)load->nodeCount);
    hash = rslHash_Vec3(hash, load->value);
    hash = rslHash_Double(hash, load->pressure);
    if (load->type == rsl_pressureLoad)
    {
        hash = rslHash_Int(hash, load->body);
        hash = HashSurface(hash, &model->bodies[load->body].surface);
    }
    return HashCourse(hash, &load->course);
}

// Without its course.
static uint64_t HashMovement(uint64_t hash, const rslMovement* move)
{
    hash = rslHash_Vec3(hash, move->translate);
    hash = rslHash_Vec3(hash, move->axis);
    hash = rslHash_Vec3(hash, move->centre);
    hash = rslHash_Double(hash, move->angle);
    return rslHash_Doubles(hash, move->path, 4 * (size_t)move->pathCount);
}

static uint64_t HashConstraint(uint64_t hash, const rslConstraint* constraint)
{
    hash = rslHash_Int(hash, constraint->type);
    hash = rslHash_Ints(hash, constraint->nodes, (size_t)constraint->nodeCount);
    hash = rslHash_Doubles(hash, constraint->start, 3 * (size_t)constraint->nodeCount);
    for (int axis = 0; axis < 3; ++axis)
    {
        hash = rslHash_Int(hash, constraint->axes[axis]);
    }
    hash = HashMovement(hash, &constraint->move);
    if (constraint->offsets != NULL)
    {
        hash = rslHash_Doubles(hash, constraint->offsets, 3 * (size_t)constraint->nodeCount);
    }
    return HashCourse(hash, &constraint->move.course);
}

static uint64_t HashLink(uint64_t hash, const rslLink* link)
{
    hash = rslHash_Ints(hash, link->nodes, (size_t)link->nodeCount);
    hash = rslHash_Doubles(hash, link->weights, (size_t)link->nodeCount);
    return rslHash_Doubles(hash, (const double[]){ link->stiffness, link->damping, link->restLength }, 3);
}

static uint64_t HashDrives(uint64_t hash, const rslModel* model)
{
    hash = rslHash_Int(hash, model->driveCount);
    for (int i = 0; i < model->driveCount; ++i)
    {
        const rslDrive* drive = &model->drives[i];
        hash = rslHash_Double(hash, drive->strain);
        hash = rslHash_Vec3(hash, drive->direction);
        hash = rslHash_Double(hash, drive->cosine);
        hash = HashCourse(hash, &drive->course);
    }
    for (int n = 0; model->driveMask != NULL && n < model->nodeCount; ++n)
    {
        hash = rslHash_Word(hash, model->driveMask[n]);
    }
    return hash;
}

// What is said only where it differs keeps the hashes of scenes with a plain ground.
static uint64_t HashColliders(uint64_t hash, const rslModel* model)
{
    const rslTouchRules* touch = &model->touch;
    hash = rslHash_Int(hash, model->colliderCount);
    if (rslModel_Touches(model))
    {
        hash =
            rslHash_Ints(hash, (const int[]){ (int)touch->scheme, (int)touch->pairs, touch->self, touch->sweeps }, 4);
        hash = rslHash_Doubles(hash, (const double[]){ touch->friction, touch->restitution }, 2);
        hash = touch->parts ? rslHash_Int(hash, 1) : hash;
    }
    for (int c = 0; c < model->colliderCount; ++c)
    {
        const rslCollider* collider = &model->colliders[c];
        hash = rslHash_Vec3(hash, collider->point);
        hash = rslHash_Vec3(hash, collider->normal);
        hash = rslHash_Doubles(hash, collider->stiffness, (size_t)model->nodeCount);
        hash = collider->solid != NULL ? rslSolid_Hash(hash, collider->solid) : hash;
        hash = collider->friction > 0.0 ? rslHash_Double(hash, collider->friction) : hash;
        hash = rslHash_Double(hash, collider->restitution);
        hash = collider->moves ? HashCourse(HashMovement(hash, &collider->move), &collider->move.course) : hash;
    }
    return hash;
}

static uint64_t HashSkins(uint64_t hash, const rslModel* model)
{
    for (int b = 0; b < model->bodyCount; ++b)
    {
        const rslSkin* skin = &model->bodies[b].skin;
        if (skin->vertexCount > 0)
        {
            size_t entries = (size_t)skin->stencilStart[skin->vertexCount];
            hash = rslHash_Int(hash, b);
            hash = rslHash_Ints(hash, skin->triangles, 3 * (size_t)skin->triangleCount);
            hash = rslHash_Ints(hash, skin->stencilNodes, entries);
            hash = rslHash_Doubles(hash, skin->stencilWeights, entries);
            hash = rslHash_Doubles(hash, (const double[]){ skin->thickness, skin->half }, 2);
            hash = skin->radius != NULL ? rslHash_Doubles(hash, skin->radius, (size_t)skin->vertexCount) : hash;
        }
    }
    return hash;
}

static uint64_t HashRigid(uint64_t hash, const rslRigid* rigid)
{
    hash = rslHash_Int(hash, rigid->body);
    hash = rslHash_Doubles(hash, rigid->hidden, 6);
    hash = rslHash_Ints(hash, rigid->welded, (size_t)rigid->weldCount);
    return rslHash_Doubles(hash, rigid->places, 3 * (size_t)rigid->weldCount);
}

static uint64_t HashJoint(uint64_t hash, const rslJoint* joint)
{
    hash = rslHash_Int(hash, joint->type);
    hash = rslHash_Int(hash, joint->driven);
    for (int s = 0; s < 2; ++s)
    {
        hash = rslHash_Int(hash, joint->rigids[s]);
        hash = rslHash_Vec3(hash, joint->places[s]);
        hash = rslHash_Doubles(hash, &joint->axes[s][0].x, 9);
    }
    hash = rslHash_Double(hash, joint->angle);
    return HashCourse(hash, &joint->course);
}

uint64_t rslModel_Fingerprint(const rslModel* model)
{
    uint64_t hash = rslHash_Int(RSL_HASH_START, model->plane);
    hash = rslHash_Vec3(hash, model->gravity);
    hash = rslHash_Int(hash, model->bodyCount);
    for (int i = 0; i < model->bodyCount; ++i)
    {
        hash = HashBody(hash, &model->bodies[i]);
        hash = model->bodies[i].enclosed.method == rsl_noVolume ? hash : HashEnclosed(hash, &model->bodies[i]);
    }
    hash = rslHash_Doubles(hash, model->mass, (size_t)model->nodeCount);
    hash = rslHash_Int(hash, model->loadCount);
    for (int i = 0; i < model->loadCount; ++i)
    {
        hash = HashLoad(hash, model, &model->loads[i]);
    }
    hash = rslHash_Int(hash, model->constraintCount);
    for (int i = 0; i < model->constraintCount; ++i)
    {
        hash = HashConstraint(hash, &model->constraints[i]);
    }
    hash = rslHash_Int(hash, model->linkCount);
    for (int i = 0; i < model->linkCount; ++i)
    {
        hash = HashLink(hash, &model->links[i]);
    }
    for (int i = 0; i < model->rigidCount; ++i)
    {
        hash = HashRigid(hash, &model->rigids[i]);
    }
    for (int i = 0; i < model->jointCount; ++i)
    {
        hash = HashJoint(hash, &model->joints[i]);
    }
    hash = HashDrives(hash, model);
    hash = HashSkins(hash, model);
    for (int i = 0; i < model->pairCount; ++i)
    {
        const rslContactPair* pair = &model->pairs[i];
        hash = rslHash_Ints(hash, (const int[]){ pair->body, pair->other }, 2);
        hash = rslHash_Doubles(hash, (const double[]){ pair->friction, pair->restitution, pair->thickness }, 3);
    }
    return HashColliders(hash, model);
}
