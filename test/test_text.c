// SPDX-License-Identifier: MIT
//
// Numbers as text, whatever the locale; units; nearest words.

#include "text.h"
#include "units.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void ExpectNumber(const char* text, double expected)
{
    double value = -77.0;
    assert_int_equal(rslNumber_Parse(text, &value), rsl_numberOk);
    assert_memory_equal(&value, &expected, sizeof value);
}

static void ExpectPrint(double value, const char* expected)
{
    char buffer[RSL_NUMBER_CAPACITY];
    int length = rslNumber_Print(value, buffer);
    assert_string_equal(buffer, expected);
    assert_int_equal(length, strlen(expected));
}

static void CheckNumbers(void)
{
    ExpectNumber("0", 0.0);
    ExpectNumber("-0", -0.0);
    ExpectNumber("1e5", 1e5);
    ExpectNumber(".5", 0.5);
    ExpectNumber("5.", 5.0);
    ExpectNumber("-3", -3.0);
    ExpectNumber("+1.25E-3", 1.25e-3);
    ExpectNumber("0.1", 0.1);
    ExpectNumber("17976931348623157e292", 1.7976931348623157e308);
    ExpectNumber("5e-324", 5e-324);
    // halfway cases: 2^53 + 1, and the classic that hung readers
    ExpectNumber("9007199254740993", 9007199254740992.0);
    ExpectNumber("9007199254740993.00000000000000000000000000001", 9007199254740994.0);
    ExpectNumber("2.2250738585072011e-308", 2.2250738585072011e-308);
    ExpectPrint(0.008, "0.008");
    ExpectPrint(1e4, "1e4");
    ExpectPrint(2e5, "2e5");
    ExpectPrint(1000.0, "1000");
    ExpectPrint(-9.81, "-9.81");
    ExpectPrint(123456.0, "123456");
    ExpectPrint(1e-4, "1e-4");
    ExpectPrint(-0.0, "-0");
    ExpectPrint(0.1 + 0.2, "0.30000000000000004");
    ExpectPrint(5e-324, "5e-324");
    ExpectPrint(1.7976931348623157e308, "1.7976931348623157e308");
    ExpectPrint(-2.2250738585072014e-308, "-2.2250738585072014e-308");
    ExpectPrint((double)NAN, "nan");
    ExpectPrint(-(double)INFINITY, "-inf");
}

static void TestNumbers(void** state)
{
    (void)state;
    CheckNumbers();
}

static void TestRefused(void** state)
{
    (void)state;
    static const char* const bad[] = { "",    "+",     "-",     ".",     "e5",   "1e",   "1e+", "0x10",
                                       "inf", "nan",   ".inf",  "1_000", "010",  "-007", "1,5", "1 ",
                                       " 1",  "1.2.3", "1e5.0", "--1",   "0o17", "1d3" };
    double value;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
    {
        assert_int_equal(rslNumber_Parse(bad[i], &value), rsl_numberSyntax);
    }
    assert_int_equal(rslNumber_Parse("1e309", &value), rsl_numberOverflow);
    assert_int_equal(rslNumber_Parse("-1e99999", &value), rsl_numberOverflow);
    assert_int_equal(rslNumber_Parse("1e-400", &value), rsl_numberUnderflow);
    ExpectNumber("0e-99999", 0.0);
}

// Every double survives being printed and read.
static void TestRoundTrip(void** state)
{
    (void)state;
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 50000; ++i)
    {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        uint64_t bits = i % 4 == 0 ? x & 0x800fffffffffffffu : x;  // denormals too
        double value, back;
        memcpy(&value, &bits, sizeof value);
        char buffer[RSL_NUMBER_CAPACITY];
        if (isfinite(value))
        {
            assert_true(rslNumber_Print(value, buffer) < RSL_NUMBER_CAPACITY);
            assert_int_equal(rslNumber_Parse(buffer, &back), rsl_numberOk);
            assert_memory_equal(&value, &back, sizeof value);
        }
    }
}

static void TestIntegers(void** state)
{
    (void)state;
    int64_t i;
    uint64_t u;
    assert_true(rslInteger_Parse("-12", &i) && i == -12);
    assert_true(rslInteger_Parse("9223372036854775807", &i) && i == INT64_MAX);
    assert_false(rslInteger_Parse("9223372036854775808", &i));
    assert_false(rslInteger_Parse("1.0", &i));
    assert_false(rslInteger_Parse("1e3", &i));
    assert_false(rslInteger_Parse("", &i));
    assert_true(rslUnsigned_Parse("18446744073709551615", &u) && u == UINT64_MAX);
    assert_false(rslUnsigned_Parse("18446744073709551616", &u));
    assert_false(rslUnsigned_Parse("-1", &u));
}

// A locale with a decimal comma, made for the purpose when the machine has none.
static bool SetCommaLocale(void)
{
    static const char* const known[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "nl_NL.UTF-8" };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
    {
        if (setlocale(LC_ALL, known[i]) != NULL)
        {
            return true;
        }
    }
    const char* scratch = getenv("RSL_SCRATCH");
    char command[1024];
    scratch = scratch != NULL ? scratch : "/tmp";
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >/dev/null 2>&1", scratch);
    return system(command) == 0 && setenv("LOCPATH", scratch, 1) == 0 && setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void TestLocale(void** state)
{
    (void)state;
    if (!SetCommaLocale())
    {
        skip();  // test_text_comma.c does the same without a locale
    }
    char sample[16];
    snprintf(sample, sizeof sample, "%.1f", 0.5);
    assert_string_equal(sample, "0,5");
    CheckNumbers();
    setlocale(LC_ALL, "C");
}

static void ExpectUnit(const char* text, const char* unit, double expected)
{
    double value = 0.0;
    const char* quantity;
    assert_int_equal(rslUnit_Convert(text, unit, &value, &quantity), rsl_unitKnown);
    assert_true(fabs(value - expected) <= 1e-12 * fabs(expected));
}

static void TestUnits(void** state)
{
    (void)state;
    ExpectUnit("10 kPa", "Pa", 1e4);
    ExpectUnit("10kPa", "Pa", 1e4);
    ExpectUnit("2.5 MPa", "Pa", 2.5e6);
    ExpectUnit("3 mm", "m", 0.003);
    ExpectUnit("7 \xc2\xb5m", "m", 7e-6);
    ExpectUnit("1.05 g/cm\xc2\xb3", "kg/m3", 1050.0);
    ExpectUnit("36 km/h", "m/s", 10.0);
    ExpectUnit("1 g", "kg", 1e-3);
    ExpectUnit("2 g", "m/s2", 19.6133);
    ExpectUnit("90 \xc2\xb0", "deg", 90.0);
    ExpectUnit("60 rpm", "deg/s", 360.0);
    ExpectUnit("3 N*s/m", "N s/m", 3.0);
    ExpectUnit("40 %", "", 0.4);
    double value;
    const char* quantity;
    assert_int_equal(rslUnit_Convert("3 mm", "Pa", &value, &quantity), rsl_unitOther);
    assert_string_equal(quantity, "length");
    assert_int_equal(rslUnit_Convert("3 parsec", "m", &value, &quantity), rsl_unitUnknown);
    assert_int_equal(rslUnit_Convert("hello", "m", &value, &quantity), rsl_unitNone);
}

static void TestWords(void** state)
{
    (void)state;
    assert_int_equal(rslWord_Distance("young", "young"), 0);
    assert_int_equal(rslWord_Distance("yuong", "young"), 1);
    assert_int_equal(rslWord_Distance("Young", "young"), 0);
    assert_int_equal(rslWord_Distance("mass-damping", "mass_damping"), 0);
    assert_int_equal(rslWord_Distance("", "abc"), 3);
    rslNearest nearest = rslNearest_Make("posson");
    rslNearest_Try(&nearest, "young");
    rslNearest_Try(&nearest, "poisson");
    assert_string_equal(nearest.best, "poisson");
    nearest = rslNearest_Make("banana");
    rslNearest_Try(&nearest, "density");
    assert_null(nearest.best);
}

static void TestSink(void** state)
{
    (void)state;
    char buffer[8];
    rslText text = rslText_Make(buffer, sizeof buffer);
    rslText_Append(&text, "abc");
    rslText_Number(&text, 0.25);
    rslText_Printf(&text, "%d", 12345);
    assert_string_equal(buffer, "abc0.25");
    assert_int_equal(text.length, 12);
    text = rslText_Make(NULL, 0);
    rslText_Quoted(&text, "a\"\n\xe2\x80\xa8");
    assert_int_equal(text.length, strlen("\"a\\\"\\u000a\\u2028\""));
    assert_true(rslUtf8_IsValid("caf\xc3\xa9 \xf0\x9f\x90\x87"));
    assert_false(rslUtf8_IsValid("caf\xe9"));
    assert_false(rslUtf8_IsValid("\xc0\x80"));
    assert_false(rslUtf8_IsValid("\xed\xa0\x80"));
    char broken[] = "a\tb\xc3\xa9\xe2\x80";
    rslUtf8_Clean(broken);
    assert_string_equal(broken, "a b\xc3\xa9??");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestNumbers),  cmocka_unit_test(TestRefused), cmocka_unit_test(TestRoundTrip),
        cmocka_unit_test(TestIntegers), cmocka_unit_test(TestLocale),  cmocka_unit_test(TestUnits),
        cmocka_unit_test(TestWords),    cmocka_unit_test(TestSink),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
