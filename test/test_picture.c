// SPDX-License-Identifier: MIT
//
// test_picture.c: where things are drawn and in which colour: a wrong sign moves them.

#include "hand_snapshot.h"

#include "normals.h"
#include "picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    WIDTH = 160,
    HEIGHT = 120,
};

typedef struct Shot
{
    uint8_t rgb[3 * WIDTH * HEIGHT];
} Shot;

static rslPictureDef SmallDef(void)
{
    rslPictureDef def = rslDefaultPictureDef();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.samples = 1;
    def.drawLabels = false;
    return def;
}

static Shot Take(const rslSnapshot* s, const rslPictureDef* def)
{
    Shot shot;
    assert_int_equal(rslPicture_Draw(s, def, NULL, shot.rgb), rsl_ok);
    return shot;
}

// The centre of the pixels that a test picks.
typedef bool Picks(const uint8_t* rgb);

typedef struct Patch
{
    int count;
    double x, y;
} Patch;

static Patch Find(const Shot* shot, Picks* picks)
{
    Patch patch = { 0 };
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
    {
        if (picks(shot->rgb + 3 * i))
        {
            patch.count += 1;
            patch.x += i % WIDTH;
            patch.y += i / WIDTH;
        }
    }
    patch.x /= patch.count ? patch.count : 1;
    patch.y /= patch.count ? patch.count : 1;
    return patch;
}

static bool IsRed(const uint8_t* c)
{
    return c[0] > c[2] + 60;
}

static bool IsBlue(const uint8_t* c)
{
    return c[2] > c[0] + 50;
}

static bool IsDark(const uint8_t* c)
{
    return c[0] < 150 && abs(c[0] - c[2]) < 30;
}

static void RightIsRightAndUpIsUp(void** state)
{
    (void)state;
    // body 0 is red, body 1 blue; seen from -y, x goes to the right and z upwards
    const rslVec3 centres[2] = { { -1, 0, 0 }, { 1, 0, 1 } };
    const double radii[2] = { 0.5, 0.5 };
    rslSnapshot s = MakeBalls(centres, radii, 2, 12);
    rslPictureDef def = SmallDef();
    def.view = (rslVec3){ 0, -1, 0 };
    Shot shot = Take(&s, &def);
    Patch red = Find(&shot, IsRed), blue = Find(&shot, IsBlue);
    assert_true(red.count > 200 && blue.count > 200);
    assert_true(red.x < blue.x - 20 && red.y > blue.y + 10);
    FreeHand(&s);
}

static void NearerHidesFarther(void** state)
{
    (void)state;
    const rslVec3 centres[2] = { { 0, 2, 0 }, { 0, -2, 0 } };
    const double radii[2] = { 0.5, 0.6 };
    rslSnapshot s = MakeBalls(centres, radii, 2, 12);
    rslPictureDef def = SmallDef();
    def.view = (rslVec3){ 0, -1, 0 };
    Shot shot = Take(&s, &def);
    assert_int_equal(Find(&shot, IsRed).count, 0);
    assert_true(Find(&shot, IsBlue).count > 200);
    FreeHand(&s);
}

static void ShadowLiesOnTheGround(void** state)
{
    (void)state;
    const rslVec3 centre = { 0, 0, 0.5 };
    const double radius = 0.5;
    rslSnapshot s = MakeBalls(&centre, &radius, 1, 16);
    rslPictureDef def = SmallDef();
    def.ground.enabled = true;
    Shot with = Take(&s, &def);
    def.drawGround = false;
    Shot without = Take(&s, &def);
    Patch ball = Find(&with, IsRed), shadow = Find(&with, IsDark);
    assert_true(shadow.count > 50 && shadow.y > ball.y);
    assert_true(Find(&without, IsDark).count < shadow.count / 2);
    FreeHand(&s);
}

static void PullIsRedAndPushBlue(void** state)
{
    (void)state;
    // the block is pulled at the top
    rslSnapshot s = MakeBlock(5);
    rslPictureDef def = SmallDef();
    def.style = rsl_springPicture;
    Shot shot = Take(&s, &def);
    // without the legend
    for (int y = 0; y < HEIGHT; ++y)
    {
        memset(shot.rgb + 3 * (y * WIDTH + WIDTH - 40), 255, 3 * 40);
    }
    Patch red = Find(&shot, IsRed), blue = Find(&shot, IsBlue);
    assert_true(red.count > 100 && blue.count > 100);
    assert_true(red.y < blue.y - 20);
    FreeHand(&s);
}

static void FlatSceneIsSeenFromZ(void** state)
{
    (void)state;
    // sags downwards in y: its lower rim is lowest in the middle
    rslSnapshot s = MakeSheet(12);
    rslPictureDef def = SmallDef();
    Shot shot = Take(&s, &def);
    int lowest[WIDTH] = { 0 };
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
    {
        lowest[i % WIDTH] = IsRed(shot.rgb + 3 * i) ? i / WIDTH : lowest[i % WIDTH];
    }
    assert_true(lowest[WIDTH / 2] > lowest[WIDTH / 2 - 30] + 3);
    assert_true(lowest[WIDTH / 2] > lowest[WIDTH / 2 + 30] + 3);
    FreeHand(&s);
}

// The same picture of a scene a million times larger or smaller, or far away.
static void SizeDoesNotMatter(void** state)
{
    (void)state;
    const double sizes[] = { 1.0, 1e-9, 1e9 };
    Patch first = { 0 };
    for (int i = 0; i < 3; ++i)
    {
        const rslVec3 centre = { 3 * sizes[i], 0, sizes[i] };
        rslSnapshot s = MakeBalls(&centre, &sizes[i], 1, 12);
        rslPictureDef def = SmallDef();
        def.ground.enabled = true;
        Shot shot = Take(&s, &def);
        Patch patch = Find(&shot, IsRed);
        first = i == 0 ? patch : first;
        assert_true(abs(patch.count - first.count) < 10);
        FreeHand(&s);
    }
}

static void OddScenesAreDrawn(void** state)
{
    (void)state;
    const rslPictureStyle styles[] = { rsl_shadedPicture, rsl_springPicture, rsl_fieldPicture };
    rslSnapshot scenes[] = { MakeHand(0, 0, 0, 0, 0), MakeHand(1, 0, 0, 0, 1), MakeBlock(3), MakeSheet(4) };
    scenes[2].positions[4] = NAN;
    scenes[2].tension[3] = INFINITY;
    scenes[2].positions[0] = 1e300;
    scenes[3].vertices[7] = -INFINITY;
    scenes[3].tension[1] = NAN;
    for (int i = 0; i < 4; ++i)
    {
        for (int k = 0; k < 12; ++k)
        {
            rslPictureDef def = SmallDef();
            def.style = styles[k % 3];
            def.field = (rslPictureField)(k / 3);
            def.ground.enabled = k % 2 == 0;
            def.drawLabels = true;
            def.samples = 1 + k % 4;
            Take(&scenes[i], &def);
        }
        FreeHand(&scenes[i]);
    }
}

// Two balls side by side: the one with the larger value is yellow.
static void GivenValuesAreColours(void** state)
{
    (void)state;
    rslSnapshot s = MakeHand(2, 0, 0, 0, 1);
    s.positions[3] = 1.0;
    for (int turn = 0; turn < 2; ++turn)
    {
        const double values[2] = { turn == 0 ? 5.0 : 7.0, turn == 0 ? 7.0 : 5.0 };
        rslPictureDef def = SmallDef();
        def.style = rsl_fieldPicture;
        def.field = rsl_givenField;
        def.values = values;
        def.title = "error [%]";
        def.view = (rslVec3){ 0, -1, 0 };
        Shot shot = Take(&s, &def);
        int yellow[2] = { 0 };
        for (int i = 0; i < WIDTH * HEIGHT; ++i)
        {
            const uint8_t* c = shot.rgb + 3 * i;
            bool legend = i % WIDTH >= 110;
            yellow[i % WIDTH > 55] += !legend && c[0] > c[2] + 60 && c[1] > c[2] + 60;
        }
        assert_true(yellow[1 - turn] > 3 && yellow[turn] == 0);
    }
    FreeHand(&s);
}

// A text stands at its point: above it, and to its left, about it or to its right.
static void LabelsStandAtTheirPoints(void** state)
{
    (void)state;
    rslSnapshot s = MakeBlock(3);
    rslPictureDef def = SmallDef();
    Shot plain = Take(&s, &def);
    rslPictureLabel labels[3] = { { .text = "abc" }, { .text = "abc" }, { .text = "abc" } };
    double left[3], top = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        labels[i].before = 0.5 * i;
        def.labels = &labels[i];
        def.labelCount = 1;
        Shot shot = Take(&s, &def);
        int first = WIDTH, last = -1, low = -1;
        for (int k = 0; k < WIDTH * HEIGHT; ++k)
        {
            if (memcmp(shot.rgb + 3 * k, plain.rgb + 3 * k, 3) != 0)
            {
                first = k % WIDTH < first ? k % WIDTH : first;
                last = k % WIDTH > last ? k % WIDTH : last;
                low = k / WIDTH;
            }
        }
        assert_true(last - first > 12 && last - first < 24);
        left[i] = first;
        top = low;
    }
    assert_true(left[0] > left[1] + 5 && left[1] > left[2] + 5);
    assert_true(top > 10 && top < HEIGHT - 10);
    labels[0].point.x = NAN;
    labels[1].point.x = 1e300;
    labels[2].text = "\x01 %^~";
    def.labels = labels;
    def.labelCount = 3;
    Take(&s, &def);
    FreeHand(&s);
}

static void BadDefinitionsAreRefused(void** state)
{
    (void)state;
    rslSnapshot s = MakeHand(0, 0, 0, 0, 0);
    rslPictureDef defs[5];
    for (int i = 0; i < 5; ++i)
    {
        defs[i] = SmallDef();
    }
    defs[0].width = 0;
    defs[1].height = 100000;
    defs[2].samples = 5;
    defs[3].zoom = 0.0;
    defs[4].view.x = NAN;
    for (int i = 0; i < 5; ++i)
    {
        assert_int_equal(rslPicture_Draw(&s, &defs[i], NULL, NULL), rsl_badInput);
    }
    FreeHand(&s);
}

// Brighter with the value, so that it reads in grey too.
static void MapsAreEven(void** state)
{
    (void)state;
    double before = -1.0;
    for (int i = 0; i <= 100; ++i)
    {
        rslColour c = rslColour_Sequential(i / 100.0);
        double grey = 0.2126 * (double)(c.r * c.r) + 0.7152 * (double)(c.g * c.g) + 0.0722 * (double)(c.b * c.b);
        assert_true(grey > before);
        before = grey;
    }
    for (int i = 1; i <= 100; ++i)
    {
        rslColour red = rslColour_Diverging(i / 100.0), blue = rslColour_Diverging(-i / 100.0);
        assert_true(red.r > red.b && blue.b > blue.r);
    }
}

static void RoundNumbers(void** state)
{
    (void)state;
    const double pairs[][2] = { { 1, 1 }, { 1.5, 2 }, { 0.03, 0.05 }, { 7, 10 }, { 2e5, 2e5 }, { 0.12, 0.2 } };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
    {
        assert_true(fabs(rslRoundUp(pairs[i][0]) / pairs[i][1] - 1.0) < 1e-12);
    }
}

// A roof of three triangles: two in the plane z = 0, one standing on their border, smaller.
static void EdgesStaySharp(void** state)
{
    (void)state;
    const float vertices[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5f, 0, -0.1f };
    const int triangles[] = { 0, 1, 2, 0, 2, 3, 0, 4, 1 };
    int first[6], around[9];
    float n[27];
    rslNormals_ComputeCorners(triangles, 3, vertices, 5, first, around, n);
    for (int c = 0; c < 9; ++c)
    {
        assert_true(n[3 * c] == 0.0f && n[3 * c + 1] == (c < 6 ? 0.0f : -1.0f) &&
                    n[3 * c + 2] == (c < 6 ? 1.0f : 0.0f));
    }
    // a fold of 40 degrees is smooth: both faces have the same normal at the edge
    const float folded[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, -0.766f, -0.643f };
    const int pair[] = { 0, 1, 2, 1, 0, 3 };
    rslNormals_ComputeCorners(pair, 2, folded, 4, first, around, n);
    assert_true(n[1] == n[13] && n[2] == n[14] && n[1] < -0.3f && n[1] > -0.4f && n[2] > 0.9f);
    assert_true(n[7] == 0.0f && n[8] == 1.0f);
}

static void* Refuse(size_t bytes, void* user)
{
    int* left = user;
    return (*left)-- > 0 ? malloc(bytes) : NULL;
}

static void Release(void* memory, void* user)
{
    (void)user;
    free(memory);
}

static void RunsOutOfMemoryCleanly(void** state)
{
    (void)state;
    rslSnapshot s = MakeSheet(6);
    rslPictureDef def = SmallDef();
    def.style = rsl_fieldPicture;
    def.ground.enabled = true;
    rslStatus status = rsl_outOfMemory;
    Shot shot;
    int tries = 0;
    for (; status == rsl_outOfMemory && tries < 50; ++tries)
    {
        int left = tries;
        rslHooks hooks = { .allocate = Refuse, .release = Release, .user = &left };
        status = rslPicture_Draw(&s, &def, &hooks, shot.rgb);
    }
    assert_int_equal(status, rsl_ok);
    assert_true(tries > 4);
    FreeHand(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(RightIsRightAndUpIsUp), cmocka_unit_test(NearerHidesFarther),
        cmocka_unit_test(ShadowLiesOnTheGround), cmocka_unit_test(PullIsRedAndPushBlue),
        cmocka_unit_test(FlatSceneIsSeenFromZ),  cmocka_unit_test(SizeDoesNotMatter),
        cmocka_unit_test(GivenValuesAreColours), cmocka_unit_test(LabelsStandAtTheirPoints),
        cmocka_unit_test(OddScenesAreDrawn),     cmocka_unit_test(BadDefinitionsAreRefused),
        cmocka_unit_test(MapsAreEven),           cmocka_unit_test(RoundNumbers),
        cmocka_unit_test(EdgesStaySharp),        cmocka_unit_test(RunsOutOfMemoryCleanly),
    };
    return cmocka_run_group_tests_name("picture", tests, NULL, NULL);
}
