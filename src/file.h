// SPDX-License-Identifier: MIT
//
// file.h: files that appear whole or not at all, written piece by piece.
//
// The pieces go into PATH.tmp-PID-N beside the file; closing flushes it to disk, renames it and flushes the directory. A
// failure removes it again. Errors are kept until the end, so that writers need not look after every piece.

#pragma once

#include "resilin/base.h"

enum
{
    RSL_STREAM_BUFFER = 16384,
    RSL_STREAM_PATH = 4096,
};

typedef struct rslFileStream
{
    int descriptor;
    int error;                     // errno of the first failure; 0 when there was none
    bool inPlace;                  // a device or a pipe: nothing to rename
    size_t used;                   // of the buffer
    uint64_t count;                // bytes put so far
    char target[RSL_STREAM_PATH];  // the file itself, links followed
    char temporary[RSL_STREAM_PATH + 48];
    unsigned char buffer[RSL_STREAM_BUFFER];
} rslFileStream;

// After success, end with Commit or Abandon.
rslStatus rslFileStream_Open(rslFileStream* stream, const char* path, rslReport* report);
void rslFileStream_Put(rslFileStream* stream, const void* bytes, size_t size);
void rslFileStream_Text(rslFileStream* stream, const char* text);
rslStatus rslFileStream_Commit(rslFileStream* stream, rslReport* report);
void rslFileStream_Abandon(rslFileStream* stream);

// All bytes to an open descriptor, over interruptions and short writes. Returns 0 or errno.
int rslDescriptor_Write(int descriptor, const void* bytes, size_t size);

// All bytes at a place of an open file. False when the file ends before, or fails.
bool rslDescriptor_Read(int descriptor, void* bytes, size_t size, uint64_t offset);

// "cannot write PATH: reason"
rslStatus rslReport_WriteError(rslReport* report, const char* path, int error);

// Numbers as they lie in a little-endian file.
void rslStore32(unsigned char* bytes, uint32_t value);
void rslStore64(unsigned char* bytes, uint64_t value);
uint32_t rslLoad32(const unsigned char* bytes);
uint32_t rslFloatBits(float value);
float rslFloatFromBits(uint32_t bits);

// A double as a float: the largest floats instead of an overflow; NaN stays NaN.
float rslNarrow(double value);
