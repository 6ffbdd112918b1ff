// SPDX-License-Identifier: MIT
//
// state_file.c: a state as bytes, and back, bit for bit.
//
// Layout: Header, frames, displacement and velocity axis by axis, what steps carry, touches, pushes, then a hash of all before it. Numbers are
// in the order of the machine that wrote them; the byte-order mark tells.

#include "resilin/state.h"

#include "collision.h"
#include "hash.h"
#include "memory.h"
#include "spread.h"
#include "state_internal.h"
#include "vec.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define MAGIC "RSLSTATE"

enum
{
    FORMAT = 4,
    BYTE_ORDER_MARK = 0x01020304
};

typedef struct Header
{
    char magic[8];
    uint32_t format, byteOrder;
    char version[16];
    uint32_t precision, nodeCount, bodyCount, carried, touchedCount, pushCount;
    uint64_t fingerprint, stepCount;
    double step;
    rslAccount account;
    rslGuardTally guard;
} Header;

_Static_assert(sizeof(Header) == 8 + 8 + 16 + 24 + 16 + 8 + 9 * 8 + 7 * 8, "the header has no padding");
_Static_assert(sizeof(rslFrame) == 104, "a frame has no padding");
_Static_assert(sizeof(rslTouched) == 16 + 12 * 8 && sizeof(rslPush) == 9 * 8, "neither have touches and pushes");

static uint64_t HashBytes(const unsigned char* bytes, size_t size)
{
    uint64_t hash = RSL_HASH_START;
    for (size_t i = 0; i < size; i += 8)
    {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        hash = rslHash_Word(hash, word);
    }
    return hash;
}

// Numbers that a node carries from step to step: none, or two.
static uint32_t CarriedBy(const rslState* state)
{
    return state->carried[0] != NULL ? 2 : 0;
}

static size_t SizeOf(const Header* header)
{
    uint64_t nodes = (6 + (uint64_t)header->carried) * header->nodeCount * header->precision;
    uint64_t touches = (uint64_t)header->touchedCount * sizeof(rslTouched),
             pushes = header->pushCount * sizeof(rslPush);
    return (size_t)(sizeof(Header) + header->bodyCount * sizeof(rslFrame) + nodes + touches + pushes +
                    sizeof(uint64_t));
}

static unsigned char* Append(unsigned char* at, const void* bytes, size_t size)
{
    if (size > 0)
    {
        memcpy(at, bytes, size);
    }
    return at + size;
}

size_t rslState_Save(const rslState* state, void* buffer, size_t capacity)
{
    Header header = { .format = FORMAT,
                      .byteOrder = BYTE_ORDER_MARK,
                      .precision = (uint32_t)state->precision,
                      .nodeCount = (uint32_t)state->nodeCount,
                      .bodyCount = (uint32_t)state->bodyCount,
                      .carried = CarriedBy(state),
                      .touchedCount = (uint32_t)state->touchedCount,
                      .pushCount = (uint32_t)state->pushCount,
                      .fingerprint = state->fingerprint,
                      .stepCount = state->stepCount,
                      .step = state->step,
                      .account = state->account,
                      .guard = state->guard };
    size_t size = SizeOf(&header);
    if (capacity < size)
    {
        return size;
    }
    memcpy(header.magic, MAGIC, sizeof header.magic);
    snprintf(header.version, sizeof header.version, "%s", rslVersion());

    unsigned char* at = buffer;
    memcpy(at, &header, sizeof header);
    at += sizeof header;
    memcpy(at, state->frames, (size_t)state->bodyCount * sizeof(rslFrame));
    at += (size_t)state->bodyCount * sizeof(rslFrame);
    size_t bytes = (size_t)state->nodeCount * (size_t)state->precision;
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(at, state->displacement[axis], bytes);
        memcpy(at + bytes, state->velocity[axis], bytes);
        at += 2 * bytes;
    }
    for (uint32_t c = 0; c < header.carried; ++c, at += bytes)
    {
        memcpy(at, state->carried[c], bytes);
    }
    at = Append(at, state->touched, header.touchedCount * sizeof(rslTouched));
    at = Append(at, state->pushes, header.pushCount * sizeof(rslPush));
    uint64_t hash = HashBytes(buffer, size - sizeof hash);
    memcpy(at, &hash, sizeof hash);
    return size;
}

static rslStatus Refuse(rslReport* report, rslStatus status, const char* text)
{
    rslReport_Add(report, rsl_error, (rslPlace){ 0 }, "%s", text);
    return status;
}

// Is it a checkpoint at all, of this version, and whole?
static rslStatus CheckBytes(const unsigned char* bytes, size_t size, Header* header, rslReport* report)
{
    if (size < sizeof(Header) + sizeof(uint64_t))
    {
        return Refuse(report, rsl_badInput, "not a checkpoint: the file is too short");
    }
    memcpy(header, bytes, sizeof *header);
    if (memcmp(header->magic, MAGIC, sizeof header->magic) != 0)
    {
        return Refuse(report, rsl_badInput, "not a checkpoint: it does not begin with " MAGIC);
    }
    if (header->byteOrder != BYTE_ORDER_MARK)
    {
        return Refuse(report, rsl_mismatch, "the checkpoint was written on a machine with another byte order");
    }
    if (header->format != FORMAT || memchr(header->version, 0, sizeof header->version) == NULL)
    {
        return Refuse(report, rsl_mismatch, "the checkpoint has a format that this version does not know");
    }
    // another version may have another layout: nothing behind the version is looked at
    if (strcmp(header->version, rslVersion()) != 0)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 },
                      "the checkpoint was written by version %s and this is %s: start anew, without --resume",
                      header->version, rslVersion());
        return rsl_mismatch;
    }
    bool known = header->precision == rsl_single || header->precision == rsl_double;
    bool whole = known && (header->carried == 0 || header->carried == 2) && header->touchedCount <= INT_MAX &&
                 header->pushCount <= INT_MAX && size == SizeOf(header);
    if (!whole)
    {
        return Refuse(report, rsl_badInput, "the checkpoint is cut off or has something appended");
    }
    uint64_t hash;
    memcpy(&hash, bytes + size - sizeof hash, sizeof hash);
    if (hash != HashBytes(bytes, size - sizeof hash))
    {
        return Refuse(report, rsl_badInput, "the checkpoint is damaged: its hash does not fit its content");
    }
    return rsl_ok;
}

// Does it belong to this model and precision?
static rslStatus CheckOrigin(const Header* header, const rslModel* model, rslPrecision precision, rslReport* report)
{
    if (header->precision != (uint32_t)precision)
    {
        rslReport_Add(report, rsl_error, (rslPlace){ 0 },
                      "the checkpoint is in %s precision and the run asks for %s: give --precision %s or start anew",
                      header->precision == rsl_single ? "single" : "double",
                      precision == rsl_single ? "single" : "double",
                      header->precision == rsl_single ? "single" : "double");
        return rsl_mismatch;
    }
    if (header->fingerprint != model->fingerprint || header->nodeCount != (uint32_t)model->nodeCount ||
        header->bodyCount != (uint32_t)model->bodyCount || (header->carried > 0) != rslModel_Lags(model) ||
        header->pushCount != (rslModel_Touches(model) ? header->bodyCount * ((uint32_t)model->colliderCount + 1) : 0))
    {
        return Refuse(report, rsl_mismatch,
                      "the scene was changed since the checkpoint was written: undo the change or start anew, without "
                      "--resume");
    }
    return rsl_ok;
}

// Would a step stumble over it? A hash that fits does not make it so.
static rslStatus CheckContent(const Header* header, const unsigned char* frames, rslReport* report)
{
    if (!(header->step >= 0.0 && header->step < INFINITY))
    {
        return Refuse(report, rsl_badInput, "the checkpoint is damaged: its step is not a positive number");
    }
    const rslGuardTally* guard = &header->guard;
    if (!(guard->smallest <= 1.0) || guard->wary > INT_MAX || guard->level > RSL_MOST_DIVIDED ||
        !(guard->last >= 0.0 && guard->last <= header->step))
    {
        return Refuse(report, rsl_badInput, "the checkpoint is damaged: its count of divided steps makes no sense");
    }
    for (uint32_t b = 0; b < header->bodyCount; ++b)
    {
        rslFrame frame;
        memcpy(&frame, frames + b * sizeof frame, sizeof frame);
        rslQuat q = frame.rotation;
        double size = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        if (!rslIsFinite3(frame.origin) || !rslIsFinite3(frame.velocity) || !rslIsFinite3(frame.momentum) ||
            !(fabs(size - 1.0) < 1e-6))
        {
            return Refuse(report, rsl_badInput,
                          "the checkpoint is damaged: the place or rotation of a body is no number");
        }
    }
    return rsl_ok;
}

// Touches are read as they are, in order and finite.
static rslStatus CheckTouches(const rslState* state, rslReport* report)
{
    for (int t = 0; t < state->touchedCount; ++t)
    {
        const rslTouched* touched = &state->touched[t];
        double sum = 0.0;
        for (int i = 0; i < 3; ++i)
        {
            sum +=
                fabs(touched->kept[i]) + fabs(touched->impulse[i]) + fabs(touched->point[i]) + fabs(touched->normal[i]);
        }
        if (!(sum < INFINITY) || (t > 0 && rslKey_Compare(touched[-1].key, touched->key) >= 0))
        {
            return Refuse(report, rsl_badInput,
                          "the checkpoint is damaged: what it remembers of touches makes no sense");
        }
    }
    return rsl_ok;
}

rslStatus rslState_Load(const rslModel* model, rslPrecision precision, const void* bytes, size_t size,
                        const rslHooks* hooks, rslState** out, rslReport* report)
{
    Header header;
    *out = NULL;
    rslStatus status = CheckBytes(bytes, size, &header, report);
    status = status == rsl_ok ? CheckOrigin(&header, model, precision, report) : status;
    status = status == rsl_ok ? CheckContent(&header, (const unsigned char*)bytes + sizeof header, report) : status;
    rslState* state = NULL;
    status = status == rsl_ok ? rslState_Create(model, precision, hooks, &state) : status;
    status = status == rsl_ok ? rslState_Reserve(state, (int)header.touchedCount) : status;
    if (status != rsl_ok)
    {
        rslState_Free(state);
        return status;
    }
    state->stepCount = header.stepCount;
    state->step = header.step;
    state->account = header.account;
    state->guard = header.guard;
    const unsigned char* at = (const unsigned char*)bytes + sizeof header;
    memcpy(state->frames, at, (size_t)state->bodyCount * sizeof(rslFrame));
    at += (size_t)state->bodyCount * sizeof(rslFrame);
    size_t count = (size_t)state->nodeCount * (size_t)precision;
    for (int axis = 0; axis < 3; ++axis)
    {
        memcpy(state->displacement[axis], at, count);
        memcpy(state->velocity[axis], at + count, count);
        at += 2 * count;
    }
    for (uint32_t c = 0; c < header.carried; ++c, at += count)
    {
        memcpy(state->carried[c], at, count);
    }
    state->touchedCount = (int)header.touchedCount;
    Append((unsigned char*)state->touched, at, header.touchedCount * sizeof(rslTouched));
    at += header.touchedCount * sizeof(rslTouched);
    Append((unsigned char*)state->pushes, at, header.pushCount * sizeof(rslPush));
    status = CheckTouches(state, report);
    if (status != rsl_ok)
    {
        rslState_Free(state);
        return status;
    }
    *out = state;
    return rsl_ok;
}
