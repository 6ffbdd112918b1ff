// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// export.h: files for other programs, and pictures. Every file appears whole or not at all: it is written beside its
// place, flushed to disk and renamed.

#pragma once

#include "resilin/observe.h"
#include "resilin/shape.h"

#ifdef __cplusplus
extern "C"
{
#endif

    // A whole file at once. Through a symbolic link the file it names is replaced; a device or a pipe is written in place.
    // On failure the old file is untouched and the report names the path and the reason.
    RSL_API rslStatus rslFile_Write(const char* path, const void* bytes, size_t size, rslReport* report);

    // ParaView. Nodes with their springs as lines (as points when the snapshot has no springs): velocity, tension,
    // energy density, body. Surface: triangles with the same fields. Raw appended data; no copy is made in memory.
    RSL_API rslStatus rslVtu_WriteNodes(const char* path, const rslSnapshot* snapshot, rslReport* report);
    RSL_API rslStatus rslVtu_WriteSurface(const char* path, const rslSnapshot* snapshot, rslReport* report);

    // A field of the nodes: as many values a node as components (1, 3 or 6). The name goes into the file as it is: letters,
    // digits and _. NULL values: left out.
    typedef struct rslVtuField
    {
        const char* name;
        const double* values;
        int components;
    } rslVtuField;

    // As rslVtu_WriteNodes, with these fields in the place of those of the snapshot.
    RSL_API rslStatus rslVtu_WriteFields(const char* path, const rslSnapshot* snapshot, const rslVtuField* fields,
                                         int count, rslReport* report);

    // The time series: one entry a file, names relative to the .pvd.
    RSL_API rslStatus rslPvd_Write(const char* path, const char* const* files, const double* times, int count,
                                   rslReport* report);

    // Blender point cache of the surface, frame after frame, for the Mesh Cache modifier: one sample a frame, so the
    // frame rate is that of the Blender scene. The writer keeps the file whole after every frame.
    typedef struct rslPc2 rslPc2;

    // keepFrames 0 starts anew. More: an existing cache of as many vertices is cut to that many frames and continued;
    // one that is something else or shorter is refused (rsl_mismatch) and left as it is.
    RSL_API rslStatus rslPc2_Open(const char* path, int vertexCount, int keepFrames, const rslHooks* hooks,
                                  rslPc2** cache, rslReport* report);
    RSL_API rslStatus rslPc2_Append(rslPc2* cache, const double* vertices, rslReport* report);
    RSL_API int rslPc2_FrameCount(const rslPc2* cache);
    RSL_API void rslPc2_Close(rslPc2* cache);  // cache may be NULL

    enum
    {
        RSL_GLB_FRAMES = 240,  // most frames of an animated .glb; a longer cache is thinned out evenly, with a note
    };

    // An animated glTF binary from a point cache: a mesh and a material a body, smooth normals, a morph target a frame.
    // The topology gives triangles and bodies of the vertices; its positions are not used.
    RSL_API rslStatus rslGlb_FromPc2(const char* path, const char* pc2Path, const rslSnapshot* topology,
                                     double frameRate, const rslHooks* hooks, rslReport* report);

    // A still surface.
    RSL_API rslStatus rslGlb_Write(const char* path, const rslSnapshot* snapshot, const rslHooks* hooks,
                                   rslReport* report);

    // ---- colliders --------------------------------------------------------------------------------------------------

    // The surfaces of all colliders that are no planes, where they are at a time, as one mesh: empty when there are none. Free it
    // with rslMesh_Free, whatever is returned.
    RSL_API rslStatus rslModel_Solids(const rslModel* model, double time, const rslHooks* hooks, rslMesh* mesh);
    RSL_API bool rslModel_SolidsMove(const rslModel* model);  // some of them

    // The plane that things lie on at a time, to be drawn: the ground, else the first collider that faces up; else it is not enabled.
    RSL_API rslPlane rslModel_Floor(const rslModel* model, double time);

    // The same of a scene that has not been built.
    RSL_API rslStatus rslScene_Solids(const rslScene* scene, double time, const rslHooks* hooks, rslMesh* mesh);
    RSL_API rslStatus rslScene_Floor(const rslScene* scene, double time, const rslHooks* hooks, rslPlane* floor);

    // ---- pictures ---------------------------------------------------------------------------------------------------

    typedef enum rslPictureStyle
    {
        rsl_shadedPicture,
        rsl_springPicture,
        rsl_fieldPicture,  // surface (or nodes where there is none) coloured by a field, with a legend
    } rslPictureStyle;

    typedef enum rslPictureField
    {
        rsl_speedField,          // [m/s]
        rsl_tensionField,        // [N]
        rsl_energyDensityField,  // [J/m3]
        rsl_heightField,         // z [m]
        // these need a snapshot that shows them (rslSnapshot_AddFields); rslPictureField_Set says which
        rsl_vonMisesField,   // [Pa]
        rsl_principalField,  // the largest principal stress [Pa]
        rsl_dilationField,   // trace of the strain
        rsl_modulusField,    // [Pa]
        rsl_givenField,      // values of the definition
    } rslPictureField;

    RSL_API rslFieldSet
    rslPictureField_Set(rslPictureField field);  // what a snapshot must show for a picture of the field

    // A text at a point of the scene. Its letters are a to z, digits and . , - + = : / ( ) [ ] % _; others are left out.
    typedef struct rslPictureLabel
    {
        rslVec3 point;  // [m]; the text stands above it
        double before;  // the part of its width to the left of the point: 0.5 puts it in the middle
        const char* text;
    } rslPictureLabel;

    typedef struct rslPictureDef
    {
        int width, height;  // pixels, 16 to 16384
        rslPictureStyle style;
        rslPictureField field;  // of the styles springs and field
        const double* values;   // of rsl_givenField: one a node
        const char* title;      // of them; letters as those of labels
        rslVec3 view;  // from the scene to the camera; zero: from the front right above, or from +z at a flat 2D scene
        rslVec3 up;    // zero: +z, or +y at a flat 2D scene
        double zoom;   // 1 fits everything
        bool drawGround;        // when ground.enabled
        rslPlane ground;        // a zero normal is +z
        const rslMesh* solids;  // what bodies bump into; NULL: nothing
        bool drawLabels;        // time, scale of the grid
        const rslPictureLabel* labels;
        int labelCount;
        int samples;  // per pixel edge, 1 to 4, for smooth edges
    } rslPictureDef;

    RSL_API rslPictureDef rslDefaultPictureDef(void);

    // Draw into rgb (3 * width * height bytes, rows from the top). Own small rasteriser. Bodies without a surface are
    // drawn as nodes and springs; what is not finite is left out. rsl_badInput for a definition out of range.
    RSL_API rslStatus rslPicture_Draw(const rslSnapshot* snapshot, const rslPictureDef* def, const rslHooks* hooks,
                                      uint8_t* rgb);

#ifdef __cplusplus
}
#endif
