// SPDX-License-Identifier: MIT
//
// test_export.c: files appear whole or not at all; the headers of .pc2 and .glb; failures leave nothing behind.

#include "hand_snapshot.h"

#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

// ---- a folder of our own --------------------------------------------------------------------------------------------

typedef struct Folder
{
    char path[128];
    char name[400];
} Folder;

static int MakeFolder(void** state)
{
    Folder* folder = calloc(1, sizeof *folder);
    if (folder == NULL)
    {
        return -1;
    }
    snprintf(folder->path, sizeof folder->path, "/tmp/resilin-export-XXXXXX");
    *state = folder;
    return mkdtemp(folder->path) == NULL ? -1 : 0;
}

static const char* In(Folder* folder, const char* name)
{
    snprintf(folder->name, sizeof folder->name, "%s/%s", folder->path, name);
    return folder->name;
}

static int CountFiles(const Folder* folder, const char* part)
{
    int count = 0;
    DIR* directory = opendir(folder->path);
    for (struct dirent* entry; (entry = readdir(directory)) != NULL;)
    {
        count += entry->d_name[0] != '.' && strstr(entry->d_name, part) != NULL;
    }
    closedir(directory);
    return count;
}

static int RemoveFolder(void** state)
{
    Folder* folder = *state;
    DIR* directory = opendir(folder->path);
    for (struct dirent* entry; (entry = readdir(directory)) != NULL;)
    {
        if (entry->d_name[0] != '.')
        {
            remove(In(folder, entry->d_name));
        }
    }
    closedir(directory);
    rmdir(folder->path);
    free(folder);
    return 0;
}

static size_t ReadAll(const char* path, unsigned char* bytes, size_t capacity)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, capacity, file);
    fclose(file);
    return size;
}

static void AssertSays(const rslReport* report, const char* a, const char* b)
{
    assert_int_equal(report->errors, 1);
    assert_non_null(strstr(report->messages[0].text, a));
    assert_non_null(strstr(report->messages[0].text, b));
}

// ---- whole files ----------------------------------------------------------------------------------------------------

static void FileIsReplacedWhole(void** state)
{
    Folder* folder = *state;
    unsigned char bytes[64];
    assert_int_equal(rslFile_Write(In(folder, "a"), "first", 5, NULL), rsl_ok);
    assert_int_equal(rslFile_Write(In(folder, "a"), "second!", 7, NULL), rsl_ok);
    assert_int_equal(ReadAll(In(folder, "a"), bytes, sizeof bytes), 7);
    assert_memory_equal(bytes, "second!", 7);
    assert_int_equal(rslFile_Write(In(folder, "empty"), NULL, 0, NULL), rsl_ok);
    assert_int_equal(ReadAll(In(folder, "empty"), bytes, sizeof bytes), 0);
    assert_int_equal(CountFiles(folder, "tmp"), 0);
}

static void LinkKeepsPointing(void** state)
{
    Folder* folder = *state;
    unsigned char bytes[64];
    struct stat information;
    assert_int_equal(rslFile_Write(In(folder, "target"), "old", 3, NULL), rsl_ok);
    assert_int_equal(symlink("target", In(folder, "link")), 0);
    assert_int_equal(rslFile_Write(In(folder, "link"), "newer", 5, NULL), rsl_ok);
    assert_int_equal(lstat(In(folder, "link"), &information), 0);
    assert_true(S_ISLNK(information.st_mode));
    assert_int_equal(ReadAll(In(folder, "target"), bytes, sizeof bytes), 5);
}

static void DeviceIsWrittenInPlace(void** state)
{
    (void)state;
    struct stat information;
    assert_int_equal(rslFile_Write("/dev/null", "x", 1, NULL), rsl_ok);
    assert_int_equal(stat("/dev/null", &information), 0);
    assert_true(S_ISCHR(information.st_mode));
}

static void MissingDirectoryIsNamed(void** state)
{
    Folder* folder = *state;
    rslReport report = { 0 };
    assert_int_equal(rslFile_Write(In(folder, "no/such/file"), "x", 1, &report), rsl_ioError);
    AssertSays(&report, "no/such/file", "No such file or directory");
}

static void DirectoryIsNotAFile(void** state)
{
    Folder* folder = *state;
    rslReport report = { 0 };
    rslSnapshot s = MakeBlock(2);
    assert_int_equal(rslVtu_WriteNodes(folder->path, &s, &report), rsl_ioError);
    AssertSays(&report, folder->path, "Is a directory");
    assert_int_equal(rslFile_Write("", "x", 1, NULL), rsl_ioError);
    FreeHand(&s);
}

static void UnwritableDirectoryIsNamed(void** state)
{
    (void)state;
    rslReport report = { 0 };
    // nobody, not even root, makes files there
    assert_int_equal(rslFile_Write("/proc/resilin.vtu", "x", 1, &report), rsl_ioError);
    AssertSays(&report, "/proc/resilin.vtu", "cannot write");
}

static void FullDeviceIsNamed(void** state)
{
    (void)state;
    rslReport report = { 0 };
    if (access("/dev/full", W_OK) != 0)
    {
        skip();
    }
    assert_int_equal(rslFile_Write("/dev/full", "x", 1, &report), rsl_ioError);
    AssertSays(&report, "/dev/full", "No space left");
}

// A limit on the size of files stands in for a full disk.
static void FullDiskLeavesTheOldFile(void** state)
{
    Folder* folder = *state;
    rslSnapshot s = MakeBlock(12);
    rslReport report = { 0 };
    unsigned char bytes[64];
    struct rlimit before, small = { 4096, 0 };
    assert_int_equal(rslFile_Write(In(folder, "frame.vtu"), "old", 3, NULL), rsl_ok);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    rslStatus status = rslVtu_WriteNodes(In(folder, "frame.vtu"), &s, &report);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, rsl_ioError);
    AssertSays(&report, "frame.vtu", "File too large");
    assert_int_equal(ReadAll(In(folder, "frame.vtu"), bytes, sizeof bytes), 3);
    assert_int_equal(CountFiles(folder, "tmp"), 0);
    FreeHand(&s);
}

// ---- time series ----------------------------------------------------------------------------------------------------

static void PvdEscapesNames(void** state)
{
    Folder* folder = *state;
    char text[1024] = { 0 };
    const char* files[] = { "a&b<\"c\">.vtu", "plain.vtu" };
    const double times[] = { 0.0, 0.1 }, bad[] = { 0.0, NAN };
    assert_int_equal(rslPvd_Write(In(folder, "a.pvd"), files, times, 2, NULL), rsl_ok);
    ReadAll(In(folder, "a.pvd"), (unsigned char*)text, sizeof text - 1);
    assert_non_null(strstr(text, "file=\"a&amp;b&lt;&quot;c&quot;&gt;.vtu\""));
    assert_non_null(strstr(text, "timestep=\"0.1\""));
    assert_int_equal(rslPvd_Write(In(folder, "b.pvd"), files, bad, 2, NULL), rsl_badInput);
    assert_int_equal(CountFiles(folder, "b.pvd"), 0);
}

// ---- point cache ----------------------------------------------------------------------------------------------------

static void AppendFrames(rslPc2* cache, int first, int count)
{
    for (int f = first; f < first + count; ++f)
    {
        double vertices[6] = { f, 1, 2, 3, 4, 1e300 };
        assert_int_equal(rslPc2_Append(cache, vertices, NULL), rsl_ok);
    }
}

static void Pc2IsWholeAfterEveryFrame(void** state)
{
    Folder* folder = *state;
    unsigned char bytes[256];
    rslPc2* cache = NULL;
    assert_int_equal(rslPc2_Open(In(folder, "a.pc2"), 2, 0, NULL, &cache, NULL), rsl_ok);
    for (int f = 0; f < 3; ++f)
    {
        AppendFrames(cache, f, 1);
        assert_int_equal(ReadAll(In(folder, "a.pc2"), bytes, sizeof bytes), 32 + 24 * (f + 1));
        assert_memory_equal(bytes, "POINTCACHE2\0\1\0\0\0\2\0\0\0\0\0\0\0\0\0\x80\x3f", 28);
        assert_int_equal(rslLoad32(bytes + 28), f + 1);
        assert_true(rslFloatFromBits(rslLoad32(bytes + 32 + 24 * f)) == (float)f);
        // beyond the range of floats: the largest one
        assert_true(isfinite(rslFloatFromBits(rslLoad32(bytes + 32 + 24 * f + 20))));
    }
    rslPc2_Close(cache);
    rslPc2_Close(NULL);
}

static void Pc2ContinuesWhereItWasCut(void** state)
{
    Folder* folder = *state;
    unsigned char whole[256], resumed[256];
    rslPc2* cache = NULL;
    assert_int_equal(rslPc2_Open(In(folder, "a.pc2"), 2, 0, NULL, &cache, NULL), rsl_ok);
    AppendFrames(cache, 0, 5);
    rslPc2_Close(cache);
    size_t size = ReadAll(In(folder, "a.pc2"), whole, sizeof whole);
    assert_int_equal(rslPc2_Open(In(folder, "a.pc2"), 2, 2, NULL, &cache, NULL), rsl_ok);
    assert_int_equal(rslPc2_FrameCount(cache), 2);
    AppendFrames(cache, 2, 3);
    assert_int_equal(rslPc2_FrameCount(cache), 5);
    rslPc2_Close(cache);
    assert_int_equal(ReadAll(In(folder, "a.pc2"), resumed, sizeof resumed), size);
    assert_memory_equal(whole, resumed, size);
}

static void AssertRefused(Folder* folder, int vertices, int frames, rslStatus expected, const char* says)
{
    rslReport report = { 0 };
    rslPc2* cache = NULL;
    assert_int_equal(rslPc2_Open(In(folder, "a.pc2"), vertices, frames, NULL, &cache, &report), expected);
    assert_null(cache);
    AssertSays(&report, "a.pc2", says);
}

static void Pc2RefusesOthers(void** state)
{
    Folder* folder = *state;
    rslPc2* cache = NULL;
    AssertRefused(folder, 2, 1, rsl_ioError, "No such file");
    assert_int_equal(rslPc2_Open(In(folder, "a.pc2"), 2, 0, NULL, &cache, NULL), rsl_ok);
    AppendFrames(cache, 0, 2);
    rslPc2_Close(cache);
    AssertRefused(folder, 3, 1, rsl_mismatch, "2 frames of 2 vertices");
    AssertRefused(folder, 2, 3, rsl_mismatch, "at least 3 frames");
    AssertRefused(folder, 0, 0, rsl_badInput, "0 vertices");
    assert_int_equal(truncate(In(folder, "a.pc2"), 40), 0);
    AssertRefused(folder, 2, 1, rsl_mismatch, "shorter");
    assert_int_equal(rslFile_Write(In(folder, "a.pc2"), "something else", 14, NULL), rsl_ok);
    AssertRefused(folder, 2, 1, rsl_mismatch, "not a point cache");
}

// ---- glTF -----------------------------------------------------------------------------------------------------------

static void GlbIsWellFormed(void** state)
{
    Folder* folder = *state;
    static unsigned char bytes[1 << 20];
    const rslVec3 centres[2] = { { 0, 0, 1 }, { 3, 0, 1 } };
    const double radii[2] = { 1, 0.5 };
    rslSnapshot s = MakeBalls(centres, radii, 2, 6);
    assert_int_equal(rslGlb_Write(In(folder, "a.glb"), &s, NULL, NULL), rsl_ok);
    size_t size = ReadAll(In(folder, "a.glb"), bytes, sizeof bytes);
    size_t json = rslLoad32(bytes + 12), binary = rslLoad32(bytes + 20 + json);
    assert_memory_equal(bytes, "glTF\2\0\0\0", 8);
    assert_int_equal(rslLoad32(bytes + 8), size);
    assert_int_equal(json % 4, 0);
    assert_int_equal(binary, 12 * s.triangleCount + 24 * s.vertexCount);
    assert_int_equal(20 + json + 8 + binary, size);
    FreeHand(&s);
}

static void GlbSaysWhatIsWrong(void** state)
{
    Folder* folder = *state;
    rslReport report = { 0 };
    rslSnapshot block = MakeBlock(2);
    assert_int_equal(rslGlb_Write(In(folder, "a.glb"), &block, NULL, &report), rsl_badInput);
    AssertSays(&report, "a.glb", "no surface");
    char cache[400];
    snprintf(cache, sizeof cache, "%s", In(folder, "none.pc2"));
    report = (rslReport){ 0 };
    assert_int_equal(rslGlb_FromPc2(In(folder, "a.glb"), cache, &block, 25.0, NULL, &report), rsl_ioError);
    AssertSays(&report, "none.pc2", "no such file");
    assert_int_equal(rslGlb_FromPc2(In(folder, "a.glb"), cache, &block, 0.0, NULL, NULL), rsl_badInput);
    assert_int_equal(CountFiles(folder, "glb"), 0);
    FreeHand(&block);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

typedef struct Purse
{
    int left, held;
} Purse;

static void* Spend(size_t bytes, void* user)
{
    Purse* purse = user;
    void* memory = purse->left-- > 0 ? malloc(bytes) : NULL;
    purse->held += memory != NULL;
    return memory;
}

static void Return(void* memory, void* user)
{
    Purse* purse = user;
    purse->held -= memory != NULL;
    free(memory);
}

static void RunsOutOfMemoryCleanly(void** state)
{
    Folder* folder = *state;
    const rslVec3 centre = { 0, 0, 1 };
    const double radius = 1;
    rslSnapshot s = MakeBalls(&centre, &radius, 1, 40);
    rslStatus status = rsl_outOfMemory;
    int tries = 0;
    for (; status == rsl_outOfMemory && tries < 100; ++tries)
    {
        Purse purse = { .left = tries };
        rslHooks hooks = { .allocate = Spend, .release = Return, .user = &purse };
        rslPc2* cache = NULL;
        status = rslPc2_Open(In(folder, "a.pc2"), s.vertexCount, 0, &hooks, &cache, NULL);
        rslPc2_Close(cache);
        status = status == rsl_ok ? rslGlb_Write(In(folder, "a.glb"), &s, &hooks, NULL) : status;
        assert_int_equal(purse.held, 0);
        assert_int_equal(CountFiles(folder, "tmp"), 0);
    }
    assert_int_equal(status, rsl_ok);
    assert_true(tries > 5);
    FreeHand(&s);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, MakeFolder, RemoveFolder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(FileIsReplacedWhole),       IN_FOLDER(LinkKeepsPointing),
        IN_FOLDER(DeviceIsWrittenInPlace),    IN_FOLDER(MissingDirectoryIsNamed),
        IN_FOLDER(DirectoryIsNotAFile),       IN_FOLDER(UnwritableDirectoryIsNamed),
        IN_FOLDER(FullDeviceIsNamed),         IN_FOLDER(FullDiskLeavesTheOldFile),
        IN_FOLDER(PvdEscapesNames),           IN_FOLDER(Pc2IsWholeAfterEveryFrame),
        IN_FOLDER(Pc2ContinuesWhereItWasCut), IN_FOLDER(Pc2RefusesOthers),
        IN_FOLDER(GlbIsWellFormed),           IN_FOLDER(GlbSaysWhatIsWrong),
        IN_FOLDER(RunsOutOfMemoryCleanly),
    };
    return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
