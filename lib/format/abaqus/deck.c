/* Keyword decks (Abaqus; Dhondt, CalculiX CrunchiX user's manual) to cards. In: bytes, included
 * files by a function. Out: cards with parameters, and the text that their data are in. Comments
 * begin with two stars; keyword lines that end with a comma go on. Nothing is copied but words. */
#include "format/framework/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 16, MAX_FILES = 1000, MAX_KEYWORD = 4096 };
#define MAX_INCLUDED ((size_t)4 << 30) /* bytes of all files together */

void ew_deck_free(ew_deck *deck)
{
    void *const arrays[] = {deck->file, deck->card,     deck->piece,     deck->parameter,
                            deck->word, deck->instance, deck->same,      deck->node,
                            deck->xyz,  deck->element,  deck->by_number, deck->element_by_number,
                            deck->tet,  deck->middle,   deck->triangle,  deck->other,
                            deck->set,  deck->section};
    for (int32_t i = 0; i < deck->n_section; i++) {
        ew_list_free(&deck->section[i].far);
    }
    for (int32_t i = 0; i < deck->n_file; i++) {
        ew_release(deck->file[i].name);
        ew_text_free(&deck->file[i].text);
    }
    for (int32_t i = 0; i < deck->n_set; i++) {
        ew_list_free(&deck->set[i].member);
    }
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        ew_release(arrays[i]);
    }
    memset(deck, 0, sizeof *deck);
}

ew_status ew_deck_fail(const ew_deck *deck, int32_t file, int32_t line, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return file ? ew_fail(EW_BAD_INPUT, "'%.200s' line %d: %s", deck->file[file].name, (int)line,
                          text)
                : ew_fail_at(EW_BAD_INPUT, line, "%s", text);
}

/* ---- characters ---------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == 0;
}

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
}

static const char *line_end(const char *at, const char *end)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    return stop ? stop : end;
}

static const char *skip_blanks(const char *at, const char *end)
{
    for (; at < end && is_blank(*at); at++) {
    }
    return at;
}

/* Whether nothing stands in the line, or a comment. */
static bool is_void(const char *at, const char *end)
{
    at = skip_blanks(at, end);
    return at == end || (end - at > 1 && at[0] == '*' && at[1] == '*');
}

/* ---- words ------------------------------------------------------------------------------ */

static ew_status add_char(ew_deck *deck, char c)
{
    EW_TRY(ew_grow(&deck->word, &deck->word_capacity, (int64_t)deck->n_word + 1, 1));
    deck->word[deck->n_word++] = c;
    return EW_OK;
}

/* In capitals, without blanks. */
static ew_status add_key(ew_deck *deck, const char *at, const char *end, int32_t *offset)
{
    *offset = deck->n_word;
    for (; at < end; at++) {
        EW_TRY(is_blank(*at) ? EW_OK : add_char(deck, upper(*at)));
    }
    return add_char(deck, 0);
}

/* Without blanks and quotes around it. */
static void trim(const char **at, const char **end)
{
    *at = skip_blanks(*at, *end);
    while (*end > *at && is_blank((*end)[-1])) {
        (*end)--;
    }
    if (*end - *at > 1 && (*at)[0] == '"' && (*end)[-1] == '"') {
        (*at)++;
        (*end)--;
    }
}

static ew_status add_value(ew_deck *deck, const char *at, const char *end, int32_t *offset)
{
    *offset = deck->n_word;
    trim(&at, &end);
    for (; at < end; at++) {
        EW_TRY(add_char(deck, *at ? *at : ' '));
    }
    return add_char(deck, 0);
}

/* ---- keyword lines ------------------------------------------------------------------------ */

/* The end of a field: a comma, or the end. Commas within quotes are none. */
static const char *field_end(const char *at, const char *end)
{
    bool quoted = false;
    for (; at < end && (quoted || *at != ','); at++) {
        quoted = *at == '"' ? !quoted : quoted;
    }
    return at;
}

static ew_status add_parameter(ew_deck *deck, const char *at, const char *end)
{
    const char *equals = memchr(at, '=', (size_t)(end - at));
    EW_TRY(ew_grow(&deck->parameter, &deck->parameter_capacity, (int64_t)deck->n_parameter + 1,
                   sizeof *deck->parameter));
    int32_t *to = deck->parameter[deck->n_parameter];
    EW_TRY(add_key(deck, at, equals ? equals : end, &to[0]));
    EW_TRY(add_value(deck, equals ? equals + 1 : end, end, &to[1]));
    deck->n_parameter++;
    return EW_OK;
}

/* The line that a message names. */
static int32_t told_line(const ew_deck *deck, int32_t file, int32_t line)
{
    return !file && deck->origin && line >= 1 && line <= deck->n_origin ? deck->origin[line - 1]
                                                                        : line;
}

/* The fields of a keyword line, whose continuations were put together. */
static ew_status add_card(ew_deck *deck, int32_t file, int32_t line, const char *at,
                          const char *end)
{
    ew_deck_card card = {.file = file, .parameter = deck->n_parameter, .piece = deck->n_piece};
    const char *stop = field_end(at, end);
    card.line = told_line(deck, file, line);
    EW_TRY(add_key(deck, at + 1, stop, &card.name));
    while (stop < end) {
        at = stop + 1;
        stop = field_end(at, end);
        if (skip_blanks(at, stop) < stop) {
            EW_TRY(add_parameter(deck, at, stop));
            card.n_parameter++;
        }
    }
    if (deck->n_word > INT32_MAX - MAX_KEYWORD) {
        return ew_fail(EW_LIMIT, "a deck with more than 2 GiB of keywords");
    }
    EW_TRY(
        ew_grow(&deck->card, &deck->card_capacity, (int64_t)deck->n_card + 1, sizeof *deck->card));
    deck->card[deck->n_card++] = card;
    return EW_OK;
}

const char *ew_deck_parameter(const ew_deck *deck, const ew_deck_card *card, const char *key)
{
    for (int32_t i = 0; i < card->n_parameter; i++) {
        const int32_t *at = deck->parameter[card->parameter + i];
        if (!strcmp(deck->word + at[0], key)) {
            return deck->word + at[1];
        }
    }
    return NULL;
}

static bool is_among(const char *key, const char *words)
{
    for (const char *at = words; *at;) {
        const size_t n = strcspn(at, " ");
        if (strlen(key) == n && !strncmp(key, at, n)) {
            return true;
        }
        at += n + strspn(at + n, " ");
    }
    return false;
}

const char *ew_deck_unknown(const ew_deck *deck, const ew_deck_card *card, const char *known,
                            int32_t *at)
{
    while (*at < card->n_parameter) {
        const char *key = deck->word + deck->parameter[card->parameter + (*at)++][0];
        if (!is_among(key, known)) {
            return key;
        }
    }
    return NULL;
}

/* ---- files ------------------------------------------------------------------------------------
 */

/* A file under way. */
typedef struct reading {
    ew_deck *deck;
    const ew_mesh_input *input;
    int32_t stack[MAX_DEPTH + 1]; /* files around the one that is read, itself last */
    int32_t depth;
    size_t included;
} reading;

static ew_status read_file(reading *r, int32_t file);

static ew_status add_piece(ew_deck *deck, int32_t file, const char *begin, const char *end,
                           int32_t line)
{
    while (begin < end) {
        const char *stop = line_end(begin, end);
        if (!is_void(begin, stop)) {
            break;
        }
        begin = stop < end ? stop + 1 : end;
        line++;
    }
    if (begin == end) {
        return EW_OK;
    }
    if (!deck->n_card) {
        return ew_deck_fail(
            deck, file, line,
            "data before the first keyword; a deck begins with a line such as *NODE");
    }
    EW_TRY(ew_grow(&deck->piece, &deck->piece_capacity, (int64_t)deck->n_piece + 1,
                   sizeof *deck->piece));
    deck->piece[deck->n_piece++] = (ew_deck_piece){file, line, begin, end};
    deck->card[deck->n_card - 1].n_piece++;
    return EW_OK;
}

static ew_status add_file(reading *r, const char *name, ew_text *text)
{
    ew_deck *deck = r->deck;
    EW_TRY(
        ew_grow(&deck->file, &deck->file_capacity, (int64_t)deck->n_file + 1, sizeof *deck->file));
    ew_deck_file *to = &deck->file[deck->n_file];
    *to = (ew_deck_file){.name = NULL};
    EW_TRY(ew_new(&to->name, strlen(name) + 1, 1));
    strcpy(to->name, name);
    to->text = *text;
    to->data = text->size ? text->data : "";
    to->size = text->size;
    memset(text, 0, sizeof *text);
    deck->n_file++;
    return EW_OK;
}

/* The file that INPUT= of a card names. */
static ew_status read_input(reading *r, const ew_deck_card *card)
{
    ew_deck *deck = r->deck;
    const char *name = ew_deck_parameter(deck, card, "INPUT"), *word = ew_deck_name(deck, card);
    ew_text text = {0};
    if (!name || !*name) {
        return ew_deck_fail(deck, card->file, card->line, "*%s needs INPUT=FILE", word);
    }
    if (!r->input->open) {
        return ew_deck_fail(deck, card->file, card->line,
                            "*%s of '%.200s': files cannot be included here", word, name);
    }
    for (int32_t i = 0; i < r->depth; i++) {
        if (!strcmp(deck->file[r->stack[i]].name, name)) {
            return ew_deck_fail(deck, card->file, card->line, "'%.200s' includes itself", name);
        }
    }
    if (r->depth > MAX_DEPTH - 1 || deck->n_file >= MAX_FILES || r->included > MAX_INCLUDED) {
        return ew_deck_fail(deck, card->file, card->line,
                            "*%s of '%.200s': more than %d files within one another, %d in "
                            "all, or 4 GiB",
                            word, name, MAX_DEPTH, MAX_FILES);
    }
    ew_status status = r->input->open(r->input->user, name, &text);
    if (status) {
        return ew_fail_prefix(ew_fail_line(status, card->line), "*%s", word);
    }
    r->included += text.size;
    status = add_file(r, name, &text);
    ew_text_free(&text);
    return status ? status : read_file(r, deck->n_file - 1);
}

/* *INCLUDE is taken back: what the file holds stands in its place. A file of another card holds
 * lines of its data. */
static ew_status read_input_of_last(reading *r)
{
    ew_deck *deck = r->deck;
    const bool is_include = !strcmp(ew_deck_name(deck, &deck->card[deck->n_card - 1]), "INCLUDE");
    const ew_deck_card card = deck->card[deck->n_card - 1];
    const int32_t n_card = deck->n_card -= is_include;
    EW_TRY(read_input(r, &card));
    return is_include || deck->n_card == n_card
               ? EW_OK
               : ew_deck_fail(deck, deck->card[n_card].file, deck->card[n_card].line,
                              "a keyword; a file that *%s names holds lines of data alone",
                              ew_deck_name(deck, &card));
}

/* Whether a card's data may stand in a file. */
static bool has_input(const ew_deck *deck, const ew_deck_card *card)
{
    const char *name = ew_deck_name(deck, card);
    return !strcmp(name, "INCLUDE") ||
           (is_among(name, "NODE ELEMENT AMPLITUDE") && ew_deck_parameter(deck, card, "INPUT"));
}

/* A keyword line with those that continue it, put together; *at behind them, *line likewise. */
static ew_status read_keyword(reading *r, int32_t file, const char **at, const char *end,
                              int32_t *line)
{
    char text[MAX_KEYWORD];
    size_t n = 0;
    const int32_t first = *line;
    for (bool more = true; more && *at < end;) {
        const char *begin = *at, *stop = line_end(*at, end);
        *at = stop < end ? stop + 1 : end;
        (*line)++;
        if (*line > first + 1 && is_void(begin, stop)) {
            continue; /* a comment between */
        }
        while (stop > begin && is_blank(stop[-1])) {
            stop--;
        }
        begin = skip_blanks(begin, stop);
        if (n + (size_t)(stop - begin) > sizeof text) {
            return ew_deck_fail(r->deck, file, first, "a keyword line of more than %d characters",
                                MAX_KEYWORD);
        }
        memcpy(text + n, begin, (size_t)(stop - begin));
        n += (size_t)(stop - begin);
        more = n && text[n - 1] == ',';
    }
    EW_TRY(add_card(r->deck, file, first, text, text + n));
    return has_input(r->deck, &r->deck->card[r->deck->n_card - 1]) ? read_input_of_last(r) : EW_OK;
}

static ew_status read_file(reading *r, int32_t file)
{
    const char *at = r->deck->file[file].data, *end = at + r->deck->file[file].size, *begin = at;
    int32_t line = 1, begin_line = 1;
    r->stack[r->depth++] = file;
    while (at < end) {
        const char *stop = line_end(at, end), *first = skip_blanks(at, stop);
        if (first < stop && *first == '*' && !is_void(at, stop)) {
            EW_TRY(add_piece(r->deck, file, begin, at, begin_line));
            EW_TRY(read_keyword(r, file, &at, end, &line));
            begin = at;
            begin_line = line;
        } else {
            at = stop < end ? stop + 1 : end;
            line++;
        }
    }
    r->depth--;
    return add_piece(r->deck, file, begin, end, begin_line);
}

ew_status ew_deck_read(const ew_mesh_input *input, ew_deck *deck)
{
    ew_deck made = {.origin = deck->origin, .n_origin = deck->n_origin};
    reading r = {.deck = &made, .input = input};
    ew_text none = {0};
    ew_status status = add_file(&r, "", &none);
    if (!status) {
        made.file[0].data = input->file->size ? input->file->data : "";
        made.file[0].size = input->file->size;
        status = read_file(&r, 0);
    }
    if (!status && !made.n_card) {
        status = ew_deck_fail(&made, 0, 1, "no keywords; a deck has lines such as *NODE");
    }
    if (status) {
        ew_deck_free(&made);
        return status;
    }
    *deck = made;
    return EW_OK;
}

/* ---- data
 * ---------------------------------------------------------------------------------------- */

ew_deck_cursor ew_deck_data(const ew_deck *deck, const ew_deck_card *card)
{
    return (ew_deck_cursor){
        .deck = deck, .piece = card->piece, .end_piece = card->piece + card->n_piece};
}

/* To the next line that holds something; false at the end of the data. */
static bool find_line(ew_deck_cursor *c)
{
    for (; c->piece < c->end_piece; c->piece++, c->at = NULL) {
        const ew_deck_piece *piece = &c->deck->piece[c->piece];
        if (!c->at) {
            c->at = piece->begin;
            c->line = piece->line;
        }
        while (c->at < piece->end) {
            const char *stop = line_end(c->at, piece->end);
            if (!is_void(c->at, stop)) {
                return true;
            }
            c->at = stop < piece->end ? stop + 1 : stop;
            c->line++;
        }
    }
    return false;
}

bool ew_deck_next(ew_deck_cursor *c, ew_deck_field *field)
{
    const bool begins = !c->in_line;
    if (begins && !find_line(c)) {
        return false;
    }
    const ew_deck_piece *piece = &c->deck->piece[c->piece];
    const char *stop = line_end(c->at, piece->end), *end = field_end(c->at, stop), *last = end;
    const char *text = c->at;
    *field = (ew_deck_field){.file = piece->file,
                             .line = told_line(c->deck, piece->file, c->line),
                             .begins = begins,
                             .continues = begins && c->has_comma};
    trim(&text, &last);
    field->text = text;
    field->size = (int32_t)(last - text < INT32_MAX ? last - text : INT32_MAX);
    c->has_comma = end < stop;
    c->in_line = c->has_comma && skip_blanks(end + 1, stop) < stop;
    if (c->in_line) {
        c->at = end + 1;
    } else {
        c->at = stop < piece->end ? stop + 1 : stop;
        c->line++;
    }
    return true;
}

bool ew_deck_is(const ew_deck_field *field, const char *word)
{
    int32_t i = 0;
    while (i < field->size && word[i] && upper(field->text[i]) == upper(word[i])) {
        i++;
    }
    return i == field->size && !word[i];
}

static ew_scan scan_of(const ew_deck_field *field)
{
    return (ew_scan){field->text, field->text + field->size, field->line, ""};
}

static ew_status name_field(const ew_deck *deck, const ew_deck_field *field, ew_status status)
{
    return status && field->file
               ? ew_deck_fail(deck, field->file, field->line, "%s", ew_last_failure()->text)
               : status;
}

ew_status ew_deck_int(const ew_deck *deck, const ew_deck_field *field, const char *what,
                      int64_t *value)
{
    ew_scan scan = scan_of(field);
    return name_field(deck, field, ew_scan_int(&scan, what, -INT32_MAX, INT32_MAX, value));
}

ew_status ew_deck_real(const ew_deck *deck, const ew_deck_field *field, const char *what,
                       double *value)
{
    ew_scan scan = scan_of(field);
    return name_field(deck, field, ew_scan_real(&scan, what, value));
}

bool ew_deck_is_number(const ew_deck_field *field)
{
    int32_t i = field->size && (field->text[0] == '-' || field->text[0] == '+');
    const int32_t first = i;
    for (; i < field->size && field->text[i] >= '0' && field->text[i] <= '9'; i++) {
    }
    return i == field->size && i > first;
}
