// SPDX-License-Identifier: MIT
//
// text.c with a C library that has a decimal comma, as in a German locale, whether or not the machine knows one.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void Swap(char* text, char from, char to)
{
    for (char* c = strchr(text, from); c != NULL; c = strchr(c, from))
    {
        *c = to;
    }
}

static int CommaPrint(char* buffer, size_t capacity, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(buffer, capacity, format, arguments);
    va_end(arguments);
    // numbers only: what text.c puts together from strings has its own point
    if (strchr(format, 'f') != NULL || strchr(format, '*') != NULL)
    {
        size_t last = strlen(format) - 1;
        if (format[last] == 'f' || format[last] == 'e')
        {
            Swap(buffer, '.', ',');
        }
    }
    return length;
}

static double CommaRead(const char* text, char** end)
{
    char copy[2000];
    snprintf(copy, sizeof copy, "%s", text);
    Swap(copy, '.', '#');
    Swap(copy, ',', '.');
    return strtod(copy, end);
}

#define snprintf CommaPrint
#define strtod CommaRead
#include "../src/text.c"
#undef snprintf
#undef strtod

#include <setjmp.h>

#include <cmocka.h>

static void TestComma(void** state)
{
    (void)state;
    char sample[16], buffer[RSL_NUMBER_CAPACITY];
    CommaPrint(sample, sizeof sample, "%.1f", 0.5);
    assert_string_equal(sample, "0,5");
    static const double values[] = { 0.5, -9.81, 0.1 + 0.2, 1.5e-7, 6.02214076e23, 0.008, 1e5, 5e-324 };
    static const char* const texts[] = { "0.5", "-9.81", "0.30000000000000004", "1.5e-7", "6.02214076e23", "0.008",
                                         "1e5", "5e-324" };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
    {
        double back = 0.0;
        rslNumber_Print(values[i], buffer);
        assert_string_equal(buffer, texts[i]);
        assert_int_equal(rslNumber_Parse(buffer, &back), rsl_numberOk);
        assert_memory_equal(&back, &values[i], sizeof back);
    }
    double value;
    assert_int_equal(rslNumber_Parse("0,5", &value), rsl_numberSyntax);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(TestComma) };
    return cmocka_run_group_tests_name("text_comma", tests, NULL, NULL);
}
