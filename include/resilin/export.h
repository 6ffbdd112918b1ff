// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// export.h: files for other programs, and pictures. Every file appears whole or not at all: it is written beside its
// place, flushed to disk and renamed.

#pragma once

#include "resilin/observe.h"

#ifdef __cplusplus
extern "C"
{
#endif

    // A whole file at once.
    RSL_API rslStatus rslFile_Write(const char* path, const void* bytes, size_t size, rslReport* report);

    // ParaView. Nodes with their springs as lines: velocity, tension, energy density, body. Surface: triangles with the
    // same fields. Raw appended data.
    RSL_API rslStatus rslVtu_WriteNodes(const char* path, const rslSnapshot* snapshot, rslReport* report);
    RSL_API rslStatus rslVtu_WriteSurface(const char* path, const rslSnapshot* snapshot, rslReport* report);

    // The time series: one entry a file, names relative to the .pvd.
    RSL_API rslStatus rslPvd_Write(const char* path, const char* const* files, const double* times, int count,
                                   rslReport* report);

    // Blender point cache of the surface, frame after frame. The writer keeps the file whole after every frame.
    typedef struct rslPc2 rslPc2;
    RSL_API rslStatus rslPc2_Open(const char* path, int vertexCount, double frameRate, int keepFrames,
                                  const rslHooks* hooks, rslPc2** cache, rslReport* report);
    RSL_API rslStatus rslPc2_Append(rslPc2* cache, const double* vertices, rslReport* report);
    RSL_API int rslPc2_FrameCount(const rslPc2* cache);
    RSL_API void rslPc2_Close(rslPc2* cache);

    // An animated glTF binary from a point cache: one mesh a scene, a morph target a frame, smooth normals.
    RSL_API rslStatus rslGlb_FromPc2(const char* path, const char* pc2Path, const rslSnapshot* topology, double frameRate,
                                     const rslHooks* hooks, rslReport* report);

    // A still surface.
    RSL_API rslStatus rslGlb_Write(const char* path, const rslSnapshot* snapshot, const rslHooks* hooks,
                                   rslReport* report);

    // ---- pictures ---------------------------------------------------------------------------------------------------

    typedef enum rslPictureStyle
    {
        rsl_shadedPicture,
        rsl_springPicture,
        rsl_fieldPicture,  // surface (or nodes where there is none) coloured by a field, with a legend
    } rslPictureStyle;

    typedef enum rslField
    {
        rsl_speedField,          // [m/s]
        rsl_tensionField,        // [N]
        rsl_energyDensityField,  // [J/m3]
        rsl_heightField,         // z [m]
    } rslField;

    typedef struct rslPictureDef
    {
        int width, height;  // pixels
        rslPictureStyle style;
        rslField field;
        rslVec3 view;     // direction from which the camera looks; default from the front right above
        rslVec3 up;
        double zoom;      // 1 fits everything
        bool drawGround;
        rslGround ground;
        int samples;      // per pixel edge, 1 to 4, for smooth edges
    } rslPictureDef;

    RSL_API rslPictureDef rslDefaultPictureDef(void);

    // Draw into rgb (3 * width * height bytes, rows from the top). Own small rasteriser.
    RSL_API rslStatus rslPicture_Draw(const rslSnapshot* snapshot, const rslPictureDef* def, const rslHooks* hooks,
                                      uint8_t* rgb);

#ifdef __cplusplus
}
#endif
