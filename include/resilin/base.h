// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the resilin authors
//
// base.h: what every other header needs: status, messages, hooks, vectors.
//
// Three kinds of failure have three mechanisms. Bad user data: a function returns an rslStatus and
// writes into an rslReport what was found and what was expected. Programmer error: RSL_ASSERT calls
// the assert hook. Divergence: a status, with the state left to be inspected. The library never
// exits and never prints.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(RSL_SHARED)
#define RSL_API __declspec(dllimport)
#elif defined(__GNUC__)
#define RSL_API __attribute__((visibility("default")))
#else
#define RSL_API
#endif

#if defined(__GNUC__)
#define RSL_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define RSL_PRINTF(text, first)
#endif

#ifdef __cplusplus
extern "C"
{
#endif

#define RSL_VERSION_MAJOR 0
#define RSL_VERSION_MINOR 1
#define RSL_VERSION_PATCH 0

    // The version of the library that is linked, as "0.1.0".
    RSL_API const char* rslVersion(void);

    // How a call ended. Zero is success.
    typedef enum rslStatus
    {
        rsl_ok = 0,
        rsl_badInput,      // the user's data is wrong; the report says where and why
        rsl_outOfMemory,   // the allocator returned NULL
        rsl_ioError,       // a file could not be read or written
        rsl_diverged,      // the simulation left the finite world; the state is kept for inspection
        rsl_unsupported,   // a module that was not built in, or a term that a backend does not know
        rsl_mismatch,      // a state or checkpoint of another scene, precision or version
        rsl_stopped,       // the host asked to stop; everything is valid up to here
        rsl_notConverged,  // no state of rest was found; the state is kept for inspection
    } rslStatus;

    // A short lower-case name: "ok", "bad input", ...
    RSL_API const char* rslStatus_Name(rslStatus status);

    // A point, a direction or any triple. SI units.
    typedef struct rslVec3
    {
        double x, y, z;
    } rslVec3;

    // A unit quaternion, w + xi + yj + zk. {1, 0, 0, 0} is no rotation.
    typedef struct rslQuat
    {
        double w, x, y, z;
    } rslQuat;

    // An axis-aligned box; empty when lower > upper in any axis.
    typedef struct rslBounds
    {
        rslVec3 lower, upper;
    } rslBounds;

    // A place in the user's file, counted from 1; 0 when there is none (made in code).
    typedef struct rslPlace
    {
        int line, column;
    } rslPlace;

    typedef enum rslSeverity
    {
        rsl_note,
        rsl_warning,
        rsl_error,
    } rslSeverity;

    enum
    {
        RSL_MESSAGE_CAPACITY = 480,  // bytes of one message, with its final zero
        RSL_REPORT_CAPACITY = 32,    // messages a report keeps; further ones are only counted
        RSL_PATH_CAPACITY = 512,
    };

    typedef struct rslMessage
    {
        rslSeverity severity;
        rslPlace place;
        char text[RSL_MESSAGE_CAPACITY];  // UTF-8, one line, no final period needed
    } rslMessage;

    // Collects what a call has to say. A plain value: start from {0}, nothing to free. Every function that
    // takes one accepts NULL.
    typedef struct rslReport
    {
        char file[RSL_PATH_CAPACITY];  // the file the places refer to; empty when none
        int errors, warnings, notes;   // counted, also beyond the capacity
        int count;                     // messages kept
        rslMessage messages[RSL_REPORT_CAPACITY];
    } rslReport;

    // Add one message, printf-style. NULL report: nothing happens.
    RSL_API void rslReport_Add(rslReport* report, rslSeverity severity, rslPlace place, const char* format, ...)
        RSL_PRINTF(4, 5);

    // "file:line:column: error: text" into buffer, without what is unknown. Returns the length as snprintf does; 0 where
    // there is no such message.
    RSL_API int rslReport_Format(const rslReport* report, int index, char* buffer, size_t capacity);

    // What the host lends to the library. A NULL pointer to it, or a NULL member, means the default
    // (malloc and free, no log); allocate without release, or the reverse, is as neither. Copied where it is given; user
    // must outlive every object made with it.
    typedef struct rslHooks
    {
        void* (*allocate)(size_t bytes, void* user);  // aligned as malloc; NULL when out of memory
        void (*release)(void* memory, void* user);    // memory may be NULL
        void (*log)(rslSeverity severity, const char* text, void* user);
        void* user;
    } rslHooks;

    // Called when an assertion fails; returning continues, which is for tests only. The hook is the one
    // process-wide setting of the library, because a broken invariant has no object to ask. NULL restores abort().
    typedef void rslAssertHook(const char* condition, const char* file, int line);
    RSL_API void rslSetAssertHook(rslAssertHook* hook);
    RSL_API void rslAssertFailed(const char* condition, const char* file, int line);

#ifdef NDEBUG
#define RSL_ASSERT(condition) ((void)sizeof(condition))
#else
#define RSL_ASSERT(condition) ((condition) ? (void)0 : rslAssertFailed(#condition, __FILE__, __LINE__))
#endif

#ifdef __cplusplus
}
#endif
