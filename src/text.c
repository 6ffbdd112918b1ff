// SPDX-License-Identifier: MIT
//
// text.c: see text.h.

#include "text.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- numbers ----------------------------------------------------------------------------------------------------

static bool IsDigit(char c)
{
    return '0' <= c && c <= '9';
}

static size_t DigitSpan(const char* text)
{
    size_t n = 0;
    while (IsDigit(text[n]))
    {
        n += 1;
    }
    return n;
}

size_t rslNumber_Span(const char* text)
{
    size_t n = text[0] == '+' || text[0] == '-' ? 1 : 0;
    size_t whole = DigitSpan(text + n);
    if (whole > 1 && text[n] == '0')
    {
        return 0;  // 010 is 8 to some readers and 10 to others
    }
    n += whole;
    size_t fraction = 0;
    if (text[n] == '.')
    {
        fraction = DigitSpan(text + n + 1);
        n += whole + fraction > 0 ? 1 + fraction : 0;
    }
    if (whole + fraction == 0)
    {
        return 0;
    }
    if (text[n] == 'e' || text[n] == 'E')
    {
        size_t sign = text[n + 1] == '+' || text[n + 1] == '-' ? 1 : 0;
        size_t exponent = DigitSpan(text + n + 1 + sign);
        n += exponent > 0 ? 1 + sign + exponent : 0;
    }
    return n;
}

// The decimal point of the present locale, as printf and strtod have it. Asked from printf, since localeconv may
// change under another thread.
static size_t DecimalPoint(char point[8])
{
    char sample[16];
    int length = snprintf(sample, sizeof sample, "%.1f", 0.5);  // 0 point 5
    bool sane = 3 <= length && length < 10;
    size_t size = sane ? (size_t)length - 2 : 1;
    memcpy(point, sane ? sample + 1 : ".", size);
    return size;
}

rslNumberResult rslNumber_Parse(const char* text, double* value)
{
    enum
    {
        LONGEST = 1000
    };
    size_t length = rslNumber_Span(text);
    if (length == 0 || text[length] != 0 || length > LONGEST)
    {
        return rsl_numberSyntax;
    }
    char point[8], copy[LONGEST + 16];
    size_t pointSize = DecimalPoint(point), n = 0;
    bool zero = true, mantissa = true;
    for (size_t i = 0; i < length; ++i)
    {
        mantissa = mantissa && text[i] != 'e' && text[i] != 'E';
        zero = zero && !(mantissa && '1' <= text[i] && text[i] <= '9');
        if (text[i] == '.')
        {
            memcpy(copy + n, point, pointSize);
            n += pointSize;
        }
        else
        {
            copy[n++] = text[i];
        }
    }
    copy[n] = 0;
    double x = strtod(copy, NULL);
    if (!isfinite(x))
    {
        return rsl_numberOverflow;
    }
    if (x == 0.0 && !zero)
    {
        return rsl_numberUnderflow;
    }
    *value = x;
    return rsl_numberOk;
}

// Significant digits of |value| without trailing zeros, and the exponent of the first. Returns how many.
static int Digits(double value, int precision, char digits[20], int* exponent)
{
    char sample[48];
    snprintf(sample, sizeof sample, "%.*e", precision - 1, fabs(value));
    int count = 0;
    const char* s = sample;
    for (; *s != 'e'; ++s)  // whatever stands for the point is skipped
    {
        if (IsDigit(*s))
        {
            digits[count++] = *s;
        }
    }
    *exponent = (int)strtol(s + 1, NULL, 10);
    while (count > 1 && digits[count - 1] == '0')
    {
        count -= 1;
    }
    digits[count] = 0;
    return count;
}

static int Scientific(double value, const char* digits, int count, int exponent, char* buffer)
{
    return snprintf(buffer, RSL_NUMBER_CAPACITY, "%s%c%s%se%d", signbit(value) ? "-" : "", digits[0],
                    count > 1 ? "." : "", digits + 1, exponent);
}

static int Positional(double value, const char* digits, int count, int exponent, char* buffer)
{
    const char* sign = signbit(value) ? "-" : "";
    if (exponent < 0)
    {
        return snprintf(buffer, RSL_NUMBER_CAPACITY, "%s0.%.*s%s", sign, -exponent - 1, "00000000", digits);
    }
    int whole = exponent + 1;
    if (count <= whole)
    {
        return snprintf(buffer, RSL_NUMBER_CAPACITY, "%s%s%.*s", sign, digits, whole - count, "00000000");
    }
    return snprintf(buffer, RSL_NUMBER_CAPACITY, "%s%.*s.%s", sign, whole, digits, digits + whole);
}

static int PrintWith(double value, int precision, char* buffer)
{
    char digits[20];
    int exponent;
    int count = Digits(value, precision, digits, &exponent);
    bool positional = -3 <= exponent && exponent < 17 && (exponent < 4 || count > exponent);
    return (positional ? Positional : Scientific)(value, digits, count, exponent, buffer);
}

int rslNumber_Print(double value, char buffer[RSL_NUMBER_CAPACITY])
{
    if (!isfinite(value))
    {
        const char* name = isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf";
        return snprintf(buffer, RSL_NUMBER_CAPACITY, "%s", name);
    }
    // a decimal of at most 15 digits survives the way there and back, so 15 finds it; denormals hold fewer
    int precision = fabs(value) < DBL_MIN ? 1 : 15;
    for (;; ++precision)
    {
        int length = PrintWith(value, precision, buffer);
        double back;
        if (precision == 17 || (rslNumber_Parse(buffer, &back) == rsl_numberOk && back == value))
        {
            return length;
        }
    }
}

bool rslUnsigned_Parse(const char* text, uint64_t* value)
{
    size_t length = DigitSpan(text);
    if (length == 0 || text[length] != 0 || (length > 1 && text[0] == '0'))
    {
        return false;
    }
    uint64_t x = 0;
    for (size_t i = 0; i < length; ++i)
    {
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (x > (UINT64_MAX - digit) / 10)
        {
            return false;
        }
        x = 10 * x + digit;
    }
    *value = x;
    return true;
}

bool rslInteger_Parse(const char* text, int64_t* value)
{
    uint64_t magnitude;
    bool negative = text[0] == '-';
    bool sign = negative || text[0] == '+';
    if (!rslUnsigned_Parse(text + (sign ? 1 : 0), &magnitude) || magnitude > (uint64_t)INT64_MAX)
    {
        return false;
    }
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

// ---- the sink ---------------------------------------------------------------------------------------------------

rslText rslText_Make(char* buffer, size_t capacity)
{
    if (capacity > 0)
    {
        buffer[0] = 0;
    }
    return (rslText){ buffer, capacity, 0 };
}

void rslText_AppendBytes(rslText* text, const char* more, size_t count)
{
    if (text->length + 1 < text->capacity)
    {
        size_t room = text->capacity - text->length - 1;
        size_t kept = count < room ? count : room;
        memcpy(text->buffer + text->length, more, kept);
        text->buffer[text->length + kept] = 0;
    }
    text->length += count;
}

void rslText_Append(rslText* text, const char* more)
{
    rslText_AppendBytes(text, more, strlen(more));
}

void rslText_Repeat(rslText* text, char c, int count)
{
    for (int i = 0; i < count; ++i)
    {
        rslText_AppendBytes(text, &c, 1);
    }
}

void rslText_Number(rslText* text, double value)
{
    char buffer[RSL_NUMBER_CAPACITY];
    rslText_AppendBytes(text, buffer, (size_t)rslNumber_Print(value, buffer));
}

void rslText_Printf(rslText* text, const char* format, ...)
{
    bool room = text->length < text->capacity;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(room ? text->buffer + text->length : NULL, room ? text->capacity - text->length : 0, format,
                           arguments);
    va_end(arguments);
    text->length += length > 0 ? (size_t)length : 0;
}

// A character that YAML or JSON does not take as it stands: controls, line breaks, marks. Its code, or 0; its bytes.
static unsigned Special(const unsigned char* s, size_t* bytes)
{
    *bytes = 1;
    if (s[0] < 0x20 || s[0] == 0x7f)
    {
        return s[0];
    }
    if (s[0] == 0xc2 && 0x80 <= s[1] && s[1] < 0xa0)  // controls
    {
        *bytes = 2;
        return s[1];
    }
    bool breaks = s[0] == 0xe2 && s[1] == 0x80 && (s[2] == 0xa8 || s[2] == 0xa9);
    bool mark = s[0] == 0xef && s[1] == 0xbb && s[2] == 0xbf;
    bool none = s[0] == 0xef && s[1] == 0xbf && (s[2] == 0xbe || s[2] == 0xbf);
    if (breaks || mark || none)
    {
        *bytes = 3;
        return (s[0] & 0x0fu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
    }
    return 0;
}

void rslText_Quoted(rslText* text, const char* string)
{
    rslText_Append(text, "\"");
    for (const char* s = string; *s != 0;)
    {
        size_t bytes;
        unsigned special = Special((const unsigned char*)s, &bytes);
        if (special != 0)
        {
            rslText_Printf(text, "\\u%04x", special);
        }
        else
        {
            rslText_Append(text, *s == '"' || *s == '\\' ? "\\" : "");
            rslText_AppendBytes(text, s, 1);
        }
        s += bytes;
    }
    rslText_Append(text, "\"");
}

// ---- words ------------------------------------------------------------------------------------------------------

enum
{
    WORD_CAPACITY = 48,  // longer words have no near ones
};

static char Fold(char c)
{
    return 'A' <= c && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '-' ? '_' : c;
}

static int Min(int a, int b)
{
    return a < b ? a : b;
}

int rslWord_Distance(const char* a, const char* b)
{
    size_t m = strlen(a), n = strlen(b);
    if (m >= WORD_CAPACITY || n >= WORD_CAPACITY)
    {
        return WORD_CAPACITY;
    }
    int d[WORD_CAPACITY][WORD_CAPACITY];
    for (size_t i = 0; i <= m; ++i)
    {
        for (size_t j = 0; j <= n; ++j)
        {
            if (i == 0 || j == 0)
            {
                d[i][j] = (int)(i + j);
                continue;
            }
            char p = Fold(a[i - 1]), q = Fold(b[j - 1]);
            d[i][j] = Min(d[i - 1][j - 1] + (p != q), Min(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && p == Fold(b[j - 2]) && q == Fold(a[i - 2]))
            {
                d[i][j] = Min(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[m][n];
}

rslNearest rslNearest_Make(const char* word)
{
    size_t length = strlen(word);
    return (rslNearest){ .word = word, .distance = length < WORD_CAPACITY ? ((int)length + 2) / 3 + 1 : 0 };
}

void rslNearest_Try(rslNearest* nearest, const char* candidate)
{
    int distance = rslWord_Distance(nearest->word, candidate);
    // a word of which nothing is left is not near
    if (distance < nearest->distance && distance < (int)strlen(candidate))
    {
        nearest->distance = distance;
        nearest->best = candidate;
    }
}

// Bytes of the well-formed character at s; 0 when it is stray, overlong, a surrogate or beyond the last character.
static int CharacterSize(const unsigned char* s)
{
    int more = s[0] < 0x80                   ? 0
               : s[0] >= 0xc2 && s[0] < 0xe0 ? 1
               : (s[0] & 0xf0) == 0xe0       ? 2
               : s[0] >= 0xf0 && s[0] < 0xf5 ? 3
                                             : -1;
    if (more < 0 || (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] >= 0x90))
    {
        return 0;
    }
    for (int i = 1; i <= more; ++i)
    {
        if ((s[i] & 0xc0) != 0x80)
        {
            return 0;
        }
    }
    return more + 1;
}

bool rslUtf8_IsValid(const char* text)
{
    const unsigned char* s = (const unsigned char*)text;
    int size = 1;
    for (; *s != 0 && size > 0; s += size)
    {
        size = CharacterSize(s);
    }
    return size > 0;
}

void rslUtf8_Clean(char* text)
{
    unsigned char* s = (unsigned char*)text;
    while (*s != 0)
    {
        int size = CharacterSize(s);
        *s = size == 0 ? '?' : *s < 0x20 ? ' ' : *s;
        s += size > 0 ? size : 1;
    }
}
