// SPDX-License-Identifier: MIT
//
// scene_colliders.c: contacts and colliders of a scene, and the probes that name one.

#include "scene_across.h"

#include "text.h"
#include "touch_scheme.h"

#include <math.h>
#include <string.h>

static bool SamePair(const rslContactDef* x, const rslContactDef* y)
{
    bool named = x->a != NULL && x->b != NULL && y->a != NULL && y->b != NULL;
    return named && ((strcmp(x->a, y->a) == 0 && strcmp(x->b, y->b) == 0) ||
                     (strcmp(x->a, y->b) == 0 && strcmp(x->b, y->a) == 0));
}

static const char groundName[] = "ground";

static bool HasCollider(const rslScene* scene, const char* name)
{
    bool found = scene->ground.enabled && strcmp(name, groundName) == 0;
    for (int i = 0; i < scene->colliderCount && !found; ++i)
    {
        found = scene->colliders[i].name != NULL && strcmp(name, scene->colliders[i].name) == 0;
    }
    return found;
}

static void UnknownPartner(rslAcross* across, rslPlace place, const char* key, const char* name)
{
    const rslScene* scene = across->scene;
    rslNearest nearest = rslNearest_Make(name);
    for (int i = 0; i < scene->bodyCount + scene->colliderCount && i < 1000; ++i)
    {
        int c = i - scene->bodyCount;
        const char* one = c < 0 ? scene->bodies[i].name : scene->colliders[c].name;
        if (one != NULL)
        {
            rslNearest_Try(&nearest, one);
        }
    }
    const char* best = nearest.best;
    rslTrail_Error(across->trail, place, key, "there is no body and no collider '%.60s'%s%s%s", name,
                   best != NULL ? "; did you mean '" : "; expected the name of one", best != NULL ? best : "",
                   best != NULL ? "'?" : "");
}

// One of the two of a contact; the second may be a collider.
static void CheckPartner(rslAcross* across, const rslContactDef* contact, const char* key, const char* name)
{
    const rslBodyDef* body = name != NULL ? rslAcross_FindBody(across, name) : NULL;
    rslPlace place = rslAcross_Place(across, "contact", key, contact, -1, contact->place);
    bool collider = name != NULL && body == NULL && HasCollider(across->scene, name);
    if (collider && key[0] == 'a')
    {
        rslTrail_Error(across->trail, place, key, "found the collider '%.60s', expected a body: colliders go to 'b'",
                       name);
    }
    else if (name != NULL && body == NULL && !collider && key[0] == 'a')
    {
        rslAcross_UnknownBody(across, place, key, name);
    }
    else if (name != NULL && body == NULL && !collider)
    {
        UnknownPartner(across, place, key, name);
    }
    else if (body != NULL && !body->surface.enabled)
    {
        rslTrail_Error(across->trail, place, key,
                       "contacts are between surfaces, and that of body '%.60s' is off: enable it", name);
    }
}

// Are penalties all that could keep bodies apart?
static bool IsPenalty(const rslScene* scene)
{
    return scene->time.integrator != rsl_static &&
           rslTouchScheme_For(scene->touch.scheme, scene->time.integrator) == rsl_penaltyScheme;
}

void rslAcross_CheckContact(rslAcross* across, int index)
{
    const rslContactDef* contact = &across->scene->contacts[index];
    CheckPartner(across, contact, "a", contact->a);
    CheckPartner(across, contact, "b", contact->b);
    bool body = contact->b != NULL && rslAcross_FindBody(across, contact->b) != NULL;
    if (body && IsPenalty(across->scene))
    {
        rslPlace place = rslAcross_Place(across, "contact", "b", contact, -1, contact->place);
        rslTrail_Error(across->trail, place, "b", "found the body '%.60s', expected a collider: %s", contact->b,
                       rslPenaltyRefusal);
    }
    for (int j = index > 1000 ? index - 1000 : 0; j < index; ++j)  // enough to catch a slip
    {
        if (SamePair(&across->scene->contacts[j], contact))
        {
            rslTrail_Error(across->trail, contact->place, NULL,
                           "found the pair '%.60s' and '%.60s' twice, expected it once: contacts act both ways",
                           contact->a, contact->b);
            break;
        }
    }
    if (across->scene->plane == rsl_planeXY && body)
    {
        rslTrail_Error(across->trail, contact->place, NULL,
                       "contacts are between surfaces in space, and this scene is plane: use 'plane: xyz'");
    }
}

void rslAcross_CheckCollider(rslAcross* across, int index)
{
    const rslScene* scene = across->scene;
    const rslColliderDef* collider = &scene->colliders[index];
    if (collider->type == rsl_planeCollider)
    {
        rslAcross_CheckFlat(across, "collider", "normal", collider, collider->normal, collider->place);
    }
    else if (scene->plane == rsl_planeXY && collider->shape != NULL &&
             (collider->shape->type != rsl_sphereShape || collider->shape->translate.z != 0.0))
    {
        rslPlace place = rslAcross_Place(across, "collider", "shape", collider, -1, collider->place);
        rslTrail_Error(
            across->trail, place, "shape",
            "found a solid in a plane scene, expected a plane or a sphere with its centre at z = 0: others push out "
            "of the plane");
    }
    rslAcross_CheckMovement(across, "collider", collider, collider->place, &collider->move);
    if (collider->hardness != 1.0 && !isnan(collider->stiffness))
    {
        rslPlace place = rslAcross_Place(across, "collider", "hardness", collider, -1, collider->place);
        rslTrail_Error(across->trail, place, "hardness",
                       "found beside a 'stiffness' that is not auto, expected one of the two");
    }
    bool taken = collider->name != NULL && scene->ground.enabled && strcmp(collider->name, groundName) == 0;
    int earlier = index > 1000 ? index - 1000 : 0;  // enough to catch a slip
    for (int j = earlier; collider->name != NULL && j < index; ++j)
    {
        taken = taken || (scene->colliders[j].name != NULL && strcmp(scene->colliders[j].name, collider->name) == 0);
    }
    if (collider->name != NULL && rslAcross_FindBody(across, collider->name) != NULL)
    {
        rslPlace place = rslAcross_Place(across, "collider", "name", collider, -1, collider->place);
        rslTrail_Error(across->trail, place, "name",
                       "found the name of a body, '%s', expected another: contacts name both", collider->name);
    }
    if (taken)
    {
        rslPlace place = rslAcross_Place(across, "collider", "name", collider, -1, collider->place);
        rslTrail_Error(across->trail, place, "name", "found a second collider '%s', expected another name%s",
                       collider->name,
                       strcmp(collider->name, groundName) == 0 ? " (that of the scene's ground is 'ground')" : "");
    }
}

// A state of rest does not know how it was reached, and friction depends on that.
void rslAcross_CheckFriction(rslAcross* across)
{
    const rslScene* scene = across->scene;
    bool any = scene->ground.enabled && scene->ground.friction > 0.0;
    rslPlace place = scene->ground.place;
    for (int i = 0; i < scene->colliderCount && !any; ++i)
    {
        any = scene->colliders[i].friction > 0.0;
        place = scene->colliders[i].place;
    }
    for (int i = 0; i < scene->contactCount && !any; ++i)
    {
        any = scene->contacts[i].friction > 0.0;
        place = scene->contacts[i].place;
    }
    if (any && scene->time.integrator == rsl_static)
    {
        rslTrail_Warn(across->trail, place, "friction", "the integrator 'static' leaves friction out");
    }
}

void rslAcross_CheckProbedCollider(rslAcross* across, const rslProbeDef* probe)
{
    const rslScene* scene = across->scene;
    rslNearest nearest = rslNearest_Make(probe->collider);
    bool found = HasCollider(scene, probe->collider);
    for (int i = 0; i < scene->colliderCount && !found; ++i)
    {
        const char* name = scene->colliders[i].name;
        if (name != NULL && i < 1000)
        {
            rslNearest_Try(&nearest, name);
        }
    }
    if (!found)
    {
        rslPlace place = rslAcross_Place(across, "probe", "collider", probe, -1, probe->place);
        rslTrail_Error(across->trail, place, "collider", "there is no collider '%.60s'%s%s%s", probe->collider,
                       nearest.best != NULL ? "; did you mean '" : "; give one this name",
                       nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "'?" : "");
    }
}
