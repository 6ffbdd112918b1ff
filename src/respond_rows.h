// SPDX-License-Identifier: MIT
//
// respond_rows.h: sums over the nodes of a row, in four lanes, three of which are the axes.

#pragma once

#include "lanes.h"
#include "respond_set.h"

// sum w_i v_i, the even nodes and the odd ones apart.
RSL_INLINE void rslRow_Sum(const rslRow* row, const rslSpotPart* part, const rslSpeed* v, rslFour* u)
{
    rslFour even = { 0 }, odd = { 0 };
    int i = 0;
    for (; i + 2 <= row->count; i += 2)
    {
        even += part[i].weight * *(const rslFour*)&v[part[i].node];
        odd += part[i + 1].weight * *(const rslFour*)&v[part[i + 1].node];
    }
    if (i < row->count)
    {
        even += part[i].weight * *(const rslFour*)&v[part[i].node];
    }
    *u = even + odd;
}

// v_i += (w_i / m_i) l
RSL_INLINE void rslRow_Push(const rslRow* row, const rslSpotPart* part, const rslFour* l, rslSpeed* v)
{
    for (int i = 0; i < row->count; ++i)
    {
        // held ones give nothing, and may be shared with another group
        if (part[i].give != 0.0)
        {
            *(rslFour*)&v[part[i].node] += part[i].give * *l;
        }
    }
}
