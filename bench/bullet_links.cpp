// SPDX-License-Identifier: MIT
//
// bullet_links.cpp: links of a soft body of Bullet, for `resilin bench --against bullet`, which talks to it through pipes
// (cli/bench_bullet.c). Reads a network, answers with the elongation of every link, then takes as many passes over all links as
// it is told, again and again, and answers with their seconds.

#include <BulletSoftBody/btSoftBody.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

template <typename T> static bool Read(T* values, size_t count)
{
    return fread(values, sizeof(T), count, stdin) == count;
}

template <typename T> static bool Write(const T& value)
{
    return fwrite(&value, sizeof value, 1, stdout) == 1;
}

static double Seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Nodes and masses.
static bool ReadNodes(int64_t count, std::vector<btVector3>& places, std::vector<btScalar>& masses)
{
    for (int64_t i = 0; i < count; ++i)
    {
        double node[4];
        if (!Read(node, 4))
        {
            return false;
        }
        places.push_back(btVector3(btScalar(node[0]), btScalar(node[1]), btScalar(node[2])));
        masses.push_back(btScalar(node[3]));
    }
    return true;
}

// Links with their own rest lengths: those that Bullet would find are the distances at the start.
static bool ReadLinks(int64_t count, btSoftBody& body)
{
    body.m_links.reserve(int(count));
    for (int64_t s = 0; s < count; ++s)
    {
        int32_t ends[2];
        double length;
        if (!Read(ends, 2) || !Read(&length, 1))
        {
            return false;
        }
        body.appendLink(ends[0], ends[1], body.m_materials[0]);
        btSoftBody::Link& link = body.m_links[int(s)];
        link.m_rl = btScalar(length);
        link.m_c1 = link.m_rl * link.m_rl;
    }
    body.updateLinkConstants();
    return true;
}

static bool WriteElongations(const btSoftBody& body)
{
    bool good = true;
    for (int s = 0; s < body.m_links.size() && good; ++s)
    {
        const btSoftBody::Link& link = body.m_links[s];
        good = Write(double((link.m_n[1]->m_x - link.m_n[0]->m_x).length() - link.m_rl));
    }
    return good && fflush(stdout) == 0;
}

int main()
{
    int64_t counts[2], steps;
    std::vector<btVector3> places;
    std::vector<btScalar> masses;
    if (!Read(counts, 2) || !ReadNodes(counts[0], places, masses))
    {
        return 2;
    }
    btSoftBodyWorldInfo world;
    btSoftBody body(&world, int(counts[0]), places.data(), masses.data());
    body.m_materials[0]->m_kLST = 1;
    if (!ReadLinks(counts[1], body) || !WriteElongations(body))
    {
        return 2;
    }
    while (Read(&steps, 1))
    {
        double begin = Seconds();
        for (int64_t n = 0; n < steps; ++n)
        {
            btSoftBody::PSolve_Links(&body, 1, 1);
        }
        if (!Write(Seconds() - begin) || fflush(stdout) != 0)
        {
            return 2;
        }
    }
    return 0;
}
