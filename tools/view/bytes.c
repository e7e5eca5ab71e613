/* Messages to the page. In: JSON and arrays. Out: the bytes that are sent, counted by those who
 * hold them. */
#include "view.h"

#include <stdlib.h>
#include <string.h>

view_bytes *view_bytes_make(size_t size, bool is_text)
{
    view_bytes *bytes = malloc(sizeof *bytes + size + 1);
    if (bytes) {
        *bytes = (view_bytes){.is_text = is_text, .size = size};
        atomic_init(&bytes->n_holder, 1);
        bytes->data[size] = 0;
    }
    return bytes;
}

/* Length of the UTF-8 character here, or 0 (Unicode 15, table 3-7). */
static size_t length_of_character(const unsigned char *at)
{
    const unsigned char c = at[0];
    const size_t n = c < 0x80                ? 1
                     : c >= 0xc2 && c < 0xe0 ? 2
                     : c >= 0xe0 && c < 0xf0 ? 3
                     : c >= 0xf0 && c < 0xf5 ? 4
                                             : 0;
    for (size_t k = 1; k < n; k++) {
        if ((at[k] & 0xc0) != 0x80) { /* also the end of the text */
            return 0;
        }
    }
    const bool is_bad = (c == 0xe0 && at[1] < 0xa0) || (c == 0xed && at[1] >= 0xa0) ||
                        (c == 0xf0 && at[1] < 0x90) || (c == 0xf4 && at[1] >= 0x90);
    return is_bad ? 0 : n;
}

/* Names of files and of commands may be any bytes; a browser ends a connection that sends them. */
static void replace_invalid(unsigned char *text)
{
    while (*text) {
        const size_t n = length_of_character(text);
        *text = n ? *text : '?';
        text += n ? n : 1;
    }
}

view_bytes *view_bytes_of_json(cJSON *json)
{
    char *text = cJSON_PrintUnformatted(json);
    view_bytes *bytes = text ? view_bytes_make(strlen(text), true) : NULL;
    if (bytes) {
        memcpy(bytes->data, text, bytes->size);
        replace_invalid(bytes->data);
    }
    cJSON_free(text);
    cJSON_Delete(json);
    return bytes;
}

view_bytes *view_bytes_hold(view_bytes *bytes)
{
    atomic_fetch_add(&bytes->n_holder, 1);
    return bytes;
}

void view_bytes_release(view_bytes *bytes)
{
    if (bytes && atomic_fetch_sub(&bytes->n_holder, 1) == 1) {
        free(bytes);
    }
}

enum { MAX_DEPTH = 16 };

/* What a string holds is no bracket. */
cJSON *view_parse_json(const char *text, size_t size)
{
    int depth = 0, deepest = 0;
    bool is_text = false;
    for (size_t i = 0; i < size; i++) {
        const char c = text[i];
        is_text = is_text != (c == '"');
        i += is_text && c == '\\';
        depth += is_text ? 0 : (c == '[' || c == '{') - (c == ']' || c == '}');
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest <= MAX_DEPTH ? cJSON_ParseWithLength(text, size) : NULL;
}

/* ---- pictures ------------------------------------------------------------------------------ */

static size_t pad(size_t size, size_t to)
{
    return (size + to - 1) / to * to;
}

ew_status view_writer_add(view_writer *writer, const char *name, const char *type, int32_t rows,
                          int32_t columns, const void *data)
{
    const size_t bytes =
        (size_t)rows * (size_t)columns * (type[1] == '8' ? sizeof(double) : sizeof(float));
    const int shape[2] = {rows, columns};
    writer->arrays = writer->arrays ? writer->arrays : cJSON_CreateObject();
    cJSON *about = cJSON_AddObjectToObject(writer->arrays, name);
    if (writer->n == VIEW_MAX_ARRAY || !about || !cJSON_AddStringToObject(about, "type", type) ||
        !cJSON_AddNumberToObject(about, "offset", (double)writer->size) ||
        !cJSON_AddItemToObject(about, "shape", cJSON_CreateIntArray(shape, columns > 1 ? 2 : 1))) {
        return ew_fail(EW_NO_MEMORY, "view: no memory for the array '%s' of a picture", name);
    }
    writer->array[writer->n].data = data;
    writer->array[writer->n++].size = bytes;
    writer->size += pad(bytes, 8);
    return EW_OK;
}

static view_bytes *join(const view_writer *writer, const char *head)
{
    const size_t n = strlen(head), padded = pad(n + 4, 8) - 4;
    view_bytes *bytes = view_bytes_make(4 + padded + writer->size, false);
    if (!bytes) {
        return NULL;
    }
    unsigned char *to = bytes->data;
    memset(to, 0, bytes->size);
    for (int k = 0; k < 4; k++) {
        *to++ = (unsigned char)(padded >> (8 * k) & 0xff);
    }
    memset(to, ' ', padded);
    memcpy(to, head, n);
    to += padded;
    for (int32_t i = 0; i < writer->n; i++) {
        if (writer->array[i].size) {
            memcpy(to, writer->array[i].data, writer->array[i].size);
        }
        to += pad(writer->array[i].size, 8);
    }
    return bytes;
}

ew_status view_writer_end(view_writer *writer, cJSON *header, view_bytes **bytes)
{
    cJSON *arrays = writer->arrays ? writer->arrays : cJSON_CreateObject();
    if (!cJSON_AddItemToObject(header, "arrays", arrays)) {
        cJSON_Delete(arrays);
    }
    char *head = cJSON_PrintUnformatted(header);
    *bytes = head ? join(writer, head) : NULL;
    cJSON_free(head);
    cJSON_Delete(header);
    *writer = (view_writer){0};
    return *bytes ? EW_OK : ew_fail(EW_NO_MEMORY, "view: no memory for a picture");
}
