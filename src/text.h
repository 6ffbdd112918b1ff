// SPDX-License-Identifier: MIT
//
// text.h: numbers to text and back whatever the locale, a text sink that counts like snprintf, nearest words.

#pragma once

#include "resilin/base.h"

enum
{
    RSL_NUMBER_CAPACITY = 32,  // bytes of the longest printed number, with its final zero
};

typedef enum rslNumberResult
{
    rsl_numberOk,
    rsl_numberSyntax,     // not a plain decimal number: [+-] digits [. digits] [e [+-] digits]
    rsl_numberOverflow,   // beyond the largest double
    rsl_numberUnderflow,  // not zero, yet nearer to zero than any double
} rslNumberResult;

// The whole text as a number, correctly rounded. Hexadecimal, inf, nan, underscores and leading zeros are not numbers.
rslNumberResult rslNumber_Parse(const char* text, double* value);

// How many leading characters of the text form a plain number; 0 when there is none.
size_t rslNumber_Span(const char* text);

// The shortest text that reads back to the same bits: 0.008, 1e5, -3. Not finite: nan, inf, -inf. Returns the length.
int rslNumber_Print(double value, char buffer[RSL_NUMBER_CAPACITY]);

// The whole text as an integer without point or exponent. False when it is none, or out of range.
bool rslInteger_Parse(const char* text, int64_t* value);
bool rslUnsigned_Parse(const char* text, uint64_t* value);

// A text that grows into a buffer. What does not fit is counted, as snprintf does; the buffer always ends with a zero.
typedef struct rslText rslText;
struct rslText
{
    char* buffer;
    size_t capacity, length;
};

rslText rslText_Make(char* buffer, size_t capacity);
void rslText_Append(rslText* text, const char* more);
void rslText_AppendBytes(rslText* text, const char* more, size_t count);
void rslText_Repeat(rslText* text, char c, int count);
void rslText_Number(rslText* text, double value);
void rslText_Printf(rslText* text, const char* format, ...) RSL_PRINTF(2, 3);

// In double quotes with JSON's escapes, which YAML shares.
void rslText_Quoted(rslText* text, const char* string);

// Edits (insert, delete, replace, swap neighbours) from a to b, ignoring case and - against _.
int rslWord_Distance(const char* a, const char* b);

// Keeps the nearest word so far, when it is near enough to be meant.
typedef struct rslNearest
{
    const char* word;  // that was looked for
    const char* best;  // NULL: none is near
    int distance;
} rslNearest;

rslNearest rslNearest_Make(const char* word);
void rslNearest_Try(rslNearest* nearest, const char* candidate);

// Whether the bytes are well-formed UTF-8.
bool rslUtf8_IsValid(const char* text);

// Make a text fit for a message of one line: controls become spaces, malformed bytes question marks.
void rslUtf8_Clean(char* text);
