/* Arithmetic expressions. In: a text and the names of its variables. Out: the operations of the
 * text in postfix order (recursive descent), and their value on a stack.
 *
 *     sum     = product { ("+" | "-") product }
 *     product = signed { ("*" | "/") signed }
 *     signed  = { "+" | "-" } power
 *     power   = operand [ ("^" | "**") signed ]          from the right: 2^3^2 = 2^9, -x^2 = -(x^2)
 *     operand = number | name | name "(" sum { "," sum } ")" | "(" sum ")" */
#include "base/parts/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An operand takes a character, and an operator another one. */
enum { MAX_STACK = EW_EXPRESSION_LENGTH / 2 + 1 };

/* ---- operations --------------------------------------------------------- */

static double add(double a, double b)
{
    return a + b;
}
static double subtract(double a, double b)
{
    return a - b;
}
static double multiply(double a, double b)
{
    return a * b;
}
static double divide(double a, double b)
{
    return a / b;
}
static double negate(double a)
{
    return -a;
}

typedef struct operation {
    const char *name;
    double (*of_one)(double a); /* one of the two, or neither */
    double (*of_two)(double a, double b);
    const char *fault; /* what is wrong where there is no value; null: there is always one */
} operation;

enum { CONSTANT, VARIABLE, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, NEGATE, FIRST_FUNCTION };
static const operation operations[] = {
    [CONSTANT] = {"", NULL, NULL, NULL},
    [VARIABLE] = {"", NULL, NULL, NULL},
    [ADD] = {"+", NULL, add, NULL},
    [SUBTRACT] = {"-", NULL, subtract, NULL},
    [MULTIPLY] = {"*", NULL, multiply, NULL},
    [DIVIDE] = {"/", NULL, divide, "division by zero"},
    [POWER] = {"^", NULL, pow,
               "a broken power of a negative number, a negative one of zero, or one "
               "too large"},
    [NEGATE] = {"-", negate, NULL, NULL},
    [FIRST_FUNCTION] = {"sqrt", sqrt, NULL, "the square root of a negative number"},
    {"abs", fabs, NULL, NULL},
    {"exp", exp, NULL, NULL},
    {"log", log, NULL, "the logarithm of a number that is not positive"},
    {"log10", log10, NULL, "the logarithm of a number that is not positive"},
    {"sin", sin, NULL, NULL},
    {"cos", cos, NULL, NULL},
    {"tan", tan, NULL, NULL},
    {"asin", asin, NULL, "the arc sine of a number beyond -1 to 1"},
    {"acos", acos, NULL, "the arc cosine of a number beyond -1 to 1"},
    {"atan", atan, NULL, NULL},
    {"sinh", sinh, NULL, NULL},
    {"cosh", cosh, NULL, NULL},
    {"tanh", tanh, NULL, NULL},
    {"floor", floor, NULL, NULL},
    {"atan2", NULL, atan2, NULL},
    {"hypot", NULL, hypot, NULL},
    {"min", NULL, fmin, NULL},
    {"max", NULL, fmax, NULL},
};
enum { N_OPERATION = sizeof operations / sizeof *operations };

/* ---- reading -------------------------------------------------------------- */

typedef struct reader {
    ew_expression *out;
    const char *at, *variables;
} reader;

static ew_status read_sum(reader *r);

static ew_status fail(const reader *r, const char *what)
{
    const long place = (long)(r->at - r->out->text) + 1;
    return *r->at ? ew_fail(EW_BAD_INPUT, "%s at character %ld ('%.20s') of '%.80s'", what, place,
                            r->at, r->out->text)
                  : ew_fail(EW_BAD_INPUT, "%s at the end of '%.80s'", what, r->out->text);
}

static void skip_blanks(reader *r)
{
    r->at += strspn(r->at, " \t\n");
}

static bool read_sign(reader *r, const char *sign)
{
    skip_blanks(r);
    const size_t length = strlen(sign);
    const bool found = !strncmp(r->at, sign, length);
    r->at += found ? length : 0;
    return found;
}

static void push_instruction(reader *r, int32_t what, double number, int32_t variable)
{
    r->out->step[r->out->n_step++] =
        (struct ew_expression_step){.number = number, .variable = variable, .operation = what};
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* 12, 1.5, .5, 2e-3 */
static ew_status read_number(reader *r)
{
    char copy[EW_EXPRESSION_LENGTH + 1];
    const char *p = r->at;
    for (; is_digit(*p) || *p == '.'; p++) {
    }
    if (*p == 'e' || *p == 'E') {
        const char *exponent = p + 1 + (p[1] == '+' || p[1] == '-');
        for (p = is_digit(*exponent) ? exponent : p; is_digit(*p); p++) {
        }
    }
    memcpy(copy, r->at, (size_t)(p - r->at));
    copy[p - r->at] = 0;
    char *end;
    const double number = strtod(copy, &end);
    if (*end || end == copy || !isfinite(number)) {
        return fail(r, "no number");
    }
    r->at = p;
    push_instruction(r, CONSTANT, number, 0);
    return EW_OK;
}

/* Place of a name in a list separated by spaces, or -1. */
static int32_t place_of(const char *name, const char *list)
{
    const size_t length = strlen(name);
    for (int32_t i = 0; *list; i++) {
        const size_t n = strcspn(list, " ");
        if (n == length && !memcmp(name, list, n)) {
            return i;
        }
        list += n;
        list += strspn(list, " ");
    }
    return -1;
}

/* The names that fit into a message. */
static ew_status fail_name(reader *r, const char *name)
{
    char known[EW_EXPRESSION_NAMES + 256], near[64];
    size_t n = (size_t)snprintf(known, sizeof known, "%.*s pi", EW_EXPRESSION_NAMES, r->variables);
    for (int32_t i = FIRST_FUNCTION; i < N_OPERATION && n < sizeof known; i++) {
        n += (size_t)snprintf(known + n, sizeof known - n, " %s", operations[i].name);
    }
    if (ew_nearest_word(name, known, near)) {
        return ew_fail(EW_BAD_INPUT, "there is no '%s' in an expression; did you mean '%s'?", name,
                       near);
    }
    return ew_fail(EW_BAD_INPUT,
                   "there is no '%s' in an expression; give it a value under 'parameters:' of the "
                   "case, or take one of %.300s",
                   name, known + strspn(known, " "));
}

static ew_status read_arguments(reader *r, int32_t function)
{
    const bool two = operations[function].of_two != NULL;
    if (!read_sign(r, "(")) {
        return fail(r, "a function without '('");
    }
    EW_TRY(read_sum(r));
    if (two && !read_sign(r, ",")) {
        return fail(r, "a function of two numbers has ',' between them; it is missing");
    }
    EW_TRY(two ? read_sum(r) : EW_OK);
    if (!read_sign(r, ")")) {
        return fail(r, "')' is missing");
    }
    push_instruction(r, function, 0.0, 0);
    return EW_OK;
}

static int32_t function_named(const char *name)
{
    int32_t i = FIRST_FUNCTION;
    while (i < N_OPERATION && strcmp(name, operations[i].name)) {
        i++;
    }
    return i < N_OPERATION ? i : -1;
}

static ew_status read_name(reader *r)
{
    const char *begin = r->at;
    char name[EW_EXPRESSION_NAME + 1] = "";
    size_t n = 0;
    for (; is_letter(*r->at) || is_digit(*r->at); r->at++) {
        if (n == EW_EXPRESSION_NAME) {
            r->at = begin;
            return fail(r, "a name too long");
        }
        name[n++] = *r->at;
    }
    const int32_t variable = place_of(name, r->variables), function = function_named(name);
    if (variable >= 0) {
        push_instruction(r, VARIABLE, 0.0, variable);
        return EW_OK;
    }
    if (!strcmp(name, "pi")) {
        push_instruction(r, CONSTANT, 3.14159265358979323846, 0);
        return EW_OK;
    }
    if (function >= 0) {
        return read_arguments(r, function);
    }
    r->at = begin;
    return fail_name(r, name);
}

ew_status ew_expression_check_name(const char *name)
{
    const size_t length = strlen(name);
    size_t n = 0;
    while (is_letter(name[n]) || (n && is_digit(name[n]))) {
        n++;
    }
    if (!length || n < length || length > EW_EXPRESSION_NAME) {
        return ew_fail(EW_BAD_INPUT,
                       "'%.60s' is no name for an expression; it has letters, digits and _, begins "
                       "with no digit, and has at most %d characters",
                       name, (int)EW_EXPRESSION_NAME);
    }
    return strcmp(name, "pi") && function_named(name) < 0
               ? EW_OK
               : ew_fail(EW_BAD_INPUT, "'%s' has a meaning in expressions; take another name",
                         name);
}

static ew_status read_operand(reader *r)
{
    skip_blanks(r);
    if (is_digit(*r->at) || *r->at == '.') {
        return read_number(r);
    }
    if (is_letter(*r->at)) {
        return read_name(r);
    }
    if (!read_sign(r, "(")) {
        return fail(r, "a number, a name or '(' is missing");
    }
    EW_TRY(read_sum(r));
    return read_sign(r, ")") ? EW_OK : fail(r, "')' is missing");
}

static ew_status read_signed(reader *r)
{
    bool negative = false;
    for (skip_blanks(r); *r->at == '+' || *r->at == '-'; skip_blanks(r)) {
        negative ^= *r->at++ == '-';
    }
    EW_TRY(read_operand(r));
    if (read_sign(r, "^") || read_sign(r, "**")) {
        EW_TRY(read_signed(r));
        push_instruction(r, POWER, 0.0, 0);
    }
    if (negative) {
        push_instruction(r, NEGATE, 0.0, 0);
    }
    return EW_OK;
}

static ew_status read_product(reader *r)
{
    EW_TRY(read_signed(r));
    for (skip_blanks(r); *r->at == '*' || *r->at == '/'; skip_blanks(r)) {
        const bool times = *r->at++ == '*';
        EW_TRY(read_signed(r));
        push_instruction(r, times ? MULTIPLY : DIVIDE, 0.0, 0);
    }
    return EW_OK;
}

static ew_status read_sum(reader *r)
{
    EW_TRY(read_product(r));
    for (skip_blanks(r); *r->at == '+' || *r->at == '-'; skip_blanks(r)) {
        const bool plus = *r->at++ == '+';
        EW_TRY(read_product(r));
        push_instruction(r, plus ? ADD : SUBTRACT, 0.0, 0);
    }
    return EW_OK;
}

ew_status ew_expression_read(ew_expression *expression, const char *text, const char *variables)
{
    ew_expression made = {.n_step = 0};
    const size_t length = strlen(text);
    if (length > EW_EXPRESSION_LENGTH) {
        return ew_fail(EW_BAD_INPUT, "the expression has %zu characters, %d at most", length,
                       (int)EW_EXPRESSION_LENGTH);
    }
    memcpy(made.text, text, length);
    reader r = {.out = &made, .at = made.text, .variables = variables};
    EW_TRY(read_sum(&r));
    if (*r.at) {
        return fail(&r, "an operator is missing, or this does not belong here,");
    }
    *expression = made;
    return EW_OK;
}

void ew_expression_bind(ew_expression *expression, int32_t first, const double *value)
{
    for (int32_t i = 0; i < expression->n_step; i++) {
        struct ew_expression_step *step = &expression->step[i];
        if (step->operation == VARIABLE && step->variable >= first) {
            step->operation = CONSTANT;
            step->number = value[step->variable - first];
        }
    }
}

/* ---- the value -------------------------------------------------------------- */

const char *ew_expression_value(const ew_expression *expression, const double *variable,
                                double *value)
{
    double stack[MAX_STACK];
    int32_t n = 0;
    *value = NAN;
    for (int32_t i = 0; i < expression->n_step; i++) {
        const struct ew_expression_step *step = &expression->step[i];
        const operation *op = &operations[step->operation];
        if (step->operation == CONSTANT || step->operation == VARIABLE) {
            stack[n++] = step->operation == CONSTANT ? step->number : variable[step->variable];
            continue;
        }
        n -= op->of_two != NULL;
        double *top = &stack[n - 1];
        const bool by_zero = step->operation == DIVIDE && top[1] == 0.0;
        *top = op->of_two ? op->of_two(top[0], top[1]) : op->of_one(top[0]);
        if (isnan(*top) || by_zero) {
            return op->fault ? op->fault : "no number";
        }
        if (isinf(*top)) {
            return op->fault && step->operation != DIVIDE ? op->fault
                                                          : "beyond the range of double precision";
        }
    }
    *value = stack[0];
    return NULL;
}
