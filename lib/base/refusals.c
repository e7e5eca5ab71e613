/* Refusals: what is asked for is well formed, and no part of this program on this machine computes
 * it. In: the rule that stands against it, and what was asked for. Out: EW_UNSUPPORTED with one
 * line, subject first. Every refusal of the library is made here, so that the list of rules is
 * complete (tests/source/check_refusals.py). */
#include "base/parts/base.h"

#include <stdarg.h>
#include <stdio.h>

const char *ew_rule_text(ew_rule rule)
{
    static const char *const text[] = {
#define EW_RULE_TEXT(name, words) words,
        EW_METHOD_RULES(EW_RULE_TEXT) EW_OTHER_RULES(EW_RULE_TEXT)
#undef EW_RULE_TEXT
    };
    return text[rule];
}

ew_status ew_refuse(ew_rule rule, const char *subject, ...)
{
    char line[sizeof((ew_failure *)0)->text];
    va_list arguments;
    va_start(arguments, subject);
    vsnprintf(line, sizeof line, subject, arguments);
    va_end(arguments);
    const char *text = ew_rule_text(rule);
    return ew_fail(EW_UNSUPPORTED, "%s%s%s", line, *text == ';' ? "" : " ", text);
}

ew_status ew_refuse_missing(const char *subject, const char *part, const char *packages,
                            const char *option)
{
    return ew_fail(EW_UNSUPPORTED, "%s: this build has no %s: %s%s%sconfigure with -D%s=ON",
                   subject, part, packages ? "install the Debian packages " : "",
                   packages ? packages : "", packages ? " and " : "", option);
}
