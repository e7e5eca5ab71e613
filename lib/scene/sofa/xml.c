/* XML (1.0) by expat. In: bytes. Out: elements and their attributes; text between them is passed
 * over. A document type is refused, so that there are no entities but the five of XML and nothing
 * is looked for outside; depth and number of elements are bounded, and no more is kept than was
 * given. */
#include "scene/sofa/xml.h"

#include "ew_parts.h"

#include <string.h>

enum { MAX_DEPTH = 64, MAX_ELEMENTS = 1000000 };

void xml_free(xml_tree *tree)
{
    ew_release(tree->element);
    ew_release(tree->attribute);
    ew_release(tree->text);
    memset(tree, 0, sizeof *tree);
}

const char *xml_find(const xml_tree *tree, int32_t element, const char *attribute)
{
    const xml_element *of = &tree->element[element];
    for (int32_t i = of->first; i < of->first + of->n; i++) {
        const int32_t *at = tree->attribute + 2 * (size_t)i;
        if (!strcmp(tree->text + at[0], attribute)) {
            return tree->text + at[1];
        }
    }
    return NULL;
}

#if EW_WITH_EXPAT

#include <expat.h>

typedef struct reading {
    XML_Parser parser;
    xml_tree *tree;
    int32_t depth, open[MAX_DEPTH];
    ew_status status;
} reading;

static int32_t line_of(const reading *r)
{
    const XML_Size line = XML_GetCurrentLineNumber(r->parser);
    return line < INT32_MAX ? (int32_t)line : INT32_MAX;
}

static void stop(reading *r, ew_status status)
{
    r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

static ew_status put_text(xml_tree *tree, const char *text, int32_t *offset)
{
    const size_t n = strlen(text) + 1;
    EW_TRY(ew_grow(&tree->text, &tree->text_capacity, (int64_t)tree->n_text + (int64_t)n, 1));
    memcpy(tree->text + tree->n_text, text, n);
    *offset = tree->n_text;
    tree->n_text += (int32_t)n;
    return EW_OK;
}

static ew_status add(reading *r, const char *name, const char **attribute)
{
    xml_tree *tree = r->tree;
    if (r->depth == MAX_DEPTH || tree->n == MAX_ELEMENTS) {
        return ew_fail_at(EW_BAD_INPUT, line_of(r),
                          "more than %d elements, or more than %d within one another", MAX_ELEMENTS,
                          MAX_DEPTH);
    }
    EW_TRY(ew_grow(&tree->element, &tree->capacity, (int64_t)tree->n + 1, sizeof *tree->element));
    xml_element *element = &tree->element[tree->n];
    *element = (xml_element){.line = line_of(r),
                             .parent = r->depth ? r->open[r->depth - 1] : -1,
                             .first = tree->n_attribute};
    EW_TRY(put_text(tree, name, &element->name));
    for (; *attribute; attribute += 2, element->n++) {
        EW_TRY(ew_grow(&tree->attribute, &tree->attribute_capacity, (int64_t)tree->n_attribute + 1,
                       2 * sizeof *tree->attribute));
        int32_t *at = tree->attribute + 2 * (size_t)tree->n_attribute++;
        EW_TRY(put_text(tree, attribute[0], &at[0]));
        EW_TRY(put_text(tree, attribute[1], &at[1]));
    }
    r->open[r->depth++] = tree->n++;
    return EW_OK;
}

static void XMLCALL begin_element(void *user, const char *name, const char **attribute)
{
    reading *r = user;
    const ew_status status = r->status ? r->status : add(r, name, attribute);
    if (status) {
        stop(r, status);
    }
}

static void XMLCALL end_element(void *user, const char *name)
{
    (void)name;
    ((reading *)user)->depth--;
}

static void XMLCALL refuse_type(void *user, const char *name, const char *system,
                                const char *public, int internal)
{
    reading *r = user;
    (void)name;
    (void)system;
    (void)public;
    (void)internal;
    stop(r, ew_fail_at(EW_BAD_INPUT, line_of(r),
                       "a document type (<!DOCTYPE ...>) is refused: a scene needs none"));
}

ew_status xml_read(const char *data, size_t size, xml_tree *tree)
{
    reading r = {.parser = XML_ParserCreate(NULL), .tree = tree};
    memset(tree, 0, sizeof *tree);
    if (!r.parser) {
        return ew_fail(EW_NO_MEMORY, "no memory for an XML parser");
    }
    if (size > INT32_MAX / 2) {
        XML_ParserFree(r.parser);
        return ew_fail(EW_LIMIT, "a scene of %zu bytes is refused", size);
    }
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, begin_element, end_element);
    XML_SetStartDoctypeDeclHandler(r.parser, refuse_type);
    const enum XML_Status parsed = XML_Parse(r.parser, data, (int)size, 1);
    if (parsed != XML_STATUS_OK && !r.status) {
        const enum XML_Error error = XML_GetErrorCode(r.parser);
        r.status = error == XML_ERROR_NO_MEMORY
                       ? ew_fail(EW_NO_MEMORY, "no memory for an XML document")
                       : ew_fail_at(EW_BAD_INPUT, line_of(&r), "not well-formed XML: %s",
                                    XML_ErrorString(error));
    }
    XML_ParserFree(r.parser);
    if (r.status) {
        xml_free(tree);
    }
    return r.status;
}

#else

ew_status xml_read(const char *data, size_t size, xml_tree *tree)
{
    (void)data;
    (void)size;
    memset(tree, 0, sizeof *tree);
    return ew_refuse_missing("a scene", "XML", NULL, "EW_WITH_EXPAT");
}

#endif
