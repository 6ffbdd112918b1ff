// SPDX-License-Identifier: MIT
//
// Any bytes may be a file of tetrahedra or hexahedra. What is read is whole: finite nodes, corners that are listed; what is
// refused says why and leaves nothing behind.

#include "memory.h"
#include "tet_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void Check(bool right)
{
    if (!right)
    {
        abort();
    }
}

static void Parse(const char* text, size_t size, int corners)
{
    rslTetMesh mesh;
    rslReport report = { 0 };
    rslStatus status = rslCellFile_Parse(text, size, corners, NULL, &mesh, &report);
    Check((status == rsl_ok) == (report.errors == 0));
    if (status == rsl_ok)
    {
        Check(mesh.nodeCount > 0 && mesh.tetrahedronCount > 0);
        for (size_t i = 0; i < 3 * (size_t)mesh.nodeCount; ++i)
        {
            Check(isfinite(mesh.nodes[i]));
        }
        for (size_t i = 0; i < (size_t)corners * (size_t)mesh.tetrahedronCount; ++i)
        {
            Check(mesh.tetrahedra[i] >= 0 && mesh.tetrahedra[i] < mesh.nodeCount);
        }
        rslTetMesh_Free(&mesh);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    char* text = malloc(size + 1);  // exactly the bytes, so that a read beyond them is seen
    Check(text != NULL);
    memcpy(text, data, size);
    text = realloc(text, size > 0 ? size : 1);
    Parse(text, size, 4);
    Parse(text, size, 8);
    free(text);
    return 0;
}
