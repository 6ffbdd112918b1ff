// SPDX-License-Identifier: MIT
//
// fuzz_scene.c: any text is read as a scene or refused; what is read survives being written and read again.

#include "resilin/io.h"

#include "scene_schema.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static rslStatus Read(const char* text, size_t length, rslScene* scene)
{
    static rslReport report;
    report = (rslReport){ 0 };
    rslTree tree;
    *scene = rslDefaultScene();
    rslStatus status = rslYaml_Parse(text, length, NULL, &tree, &report);
    if (status == rsl_ok)
    {
        status = rslScene_FromTree(&tree, NULL, scene, &report);
    }
    rslTree_Free(&tree);
    if ((status == rsl_ok) != (report.errors == 0))
    {
        abort();  // a refusal says why, and only a refusal does
    }
    return status;
}

static void WriteAndRead(const rslScene* scene)
{
    size_t length = rslScene_Write(scene, NULL, 0);
    char* text = malloc(length + 1);
    rslScene again;
    if (text == NULL || rslScene_Write(scene, text, length + 1) != length || Read(text, length, &again) != rsl_ok ||
        !rslStruct_Equal(rslSchema_Scene(), scene, &again))
    {
        abort();
    }
    rslScene_Free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    rslScene scene;
    if (Read((const char*)data, size, &scene) != rsl_ok)
    {
        return 0;
    }
    rslReport report = { 0 };
    rslStatus status = rslScene_Validate(&scene, &report);
    // what the reader accepts has no error left, but for mesh files, which are not loaded here
    if (status != rsl_ok && rslScene_MeshShapes(&scene, NULL, 0) == 0)
    {
        abort();
    }
    WriteAndRead(&scene);
    rslScene_Free(&scene);
    return 0;
}
