/* The part of a report page on element removals: the share of the volume that is left and the
 * compliance over that of the whole body, round by round. In: NAME.removal.csv beside the result
 * NAME.vtkhdf. Out: a chart of each removal; nothing where there is no such table. */
#include "page.h"
#include "report_page.h"

#include <stdlib.h>
#include <string.h>

/* Columns that a chart is made of; the last is there in sweeps alone. */
enum { STEP, ROUND, SHARE, COMPLIANCE, COMBINATION, N_COLUMN };
static const char *const names[N_COLUMN] = {"step", "round", "share", "compliance", "combination"};
enum { MAX_WORD = 128, MAX_CHARTS = 24 };

typedef struct rounds {
    const char *at, *end;            /* of the table, what is still to be read */
    int32_t place[N_COLUMN];         /* of the columns; -1: none */
    char word[N_COLUMN][MAX_WORD];   /* of the last row */
    char title[2 * MAX_WORD + 64];   /* of the removal under way */
    int32_t n, n_chart;              /* its rounds; removals */
    double *round, *share, *stiffer; /* [lines of the table] owned by the first */
} rounds;

/* The next word of a row, without its quotes, of two one, cut off where it is too long. True: more
 * follow. */
static bool next_word(rounds *in, char word[MAX_WORD])
{
    size_t n = 0;
    bool quoted = false;
    for (; in->at < in->end && (quoted || (*in->at != ',' && *in->at != '\n')); in->at++) {
        const bool twice = quoted && in->end - in->at > 1 && in->at[0] == '"' && in->at[1] == '"';
        in->at += twice;
        if (*in->at == '"' && !twice) {
            quoted = !quoted;
        } else if (n < MAX_WORD - 1) {
            word[n++] = *in->at;
        }
    }
    word[n] = 0;
    const bool more = in->at < in->end && *in->at == ',';
    in->at += in->at < in->end;
    return more;
}

static bool read_head(rounds *in)
{
    char word[MAX_WORD];
    bool more = true, all = true;
    memset(in->place, -1, sizeof in->place);
    for (int32_t column = 0; more; column++) {
        more = next_word(in, word);
        for (int k = 0; k < N_COLUMN; k++) {
            in->place[k] = strcmp(word, names[k]) ? in->place[k] : column;
        }
    }
    for (int k = 0; k < COMBINATION; k++) {
        all = all && in->place[k] >= 0;
    }
    return all;
}

static void read_row(rounds *in)
{
    char word[MAX_WORD];
    bool more = true;
    memset(in->word, 0, sizeof in->word);
    for (int32_t column = 0; more; column++) {
        more = next_word(in, word);
        for (int k = 0; k < N_COLUMN; k++) {
            if (in->place[k] == column) {
                memcpy(in->word[k], word, MAX_WORD);
            }
        }
    }
}

static void add_chart(rounds *in, page *to)
{
    const page_curve curve[] = {{"compliance", in->stiffer, 1}, {"volume", in->share, 1}};
    if (in->n && in->n_chart++ < MAX_CHARTS) {
        page_add_lines(to, &(page_lines){.title = in->title,
                                         .unit = "over those of the whole",
                                         .axis = "round",
                                         .time_unit = "",
                                         .n = in->n,
                                         .time = in->round,
                                         .n_curve = 2,
                                         .curve = curve});
    }
    in->n = 0;
}

static void add_all(rounds *in, page *to)
{
    double whole = 1;
    while (in->at < in->end) {
        read_row(in);
        const double compliance = strtod(in->word[COMPLIANCE], NULL);
        if (!(strtod(in->word[ROUND], NULL) > 0)) {
            add_chart(in, to);
            whole = compliance;
            const char *step = in->word[STEP] + (in->word[STEP][0] == '\'');
            snprintf(in->title, sizeof in->title, "step '%s'%s%s", step,
                     *in->word[COMBINATION] ? ", combination " : "", in->word[COMBINATION]);
        }
        in->round[in->n] = in->n;
        in->share[in->n] = strtod(in->word[SHARE], NULL);
        in->stiffer[in->n++] = compliance / whole;
    }
    add_chart(in, to);
    if (in->n_chart > MAX_CHARTS) {
        page_add(to, "<p>The table has %d more.</p>\n", (int)(in->n_chart - MAX_CHARTS));
    }
}

/* An older table may stand beside a result of another case. */
static bool has_removal(const ew_result_view *view)
{
    bool any = !view->complete;
    for (int32_t k = 0; k < view->n_step; k++) {
        const ew_view_step *step = &view->step[k];
        any = any || ew_view_find(step->n_number, step->number, "removal_rounds", 1);
    }
    return any;
}

static ew_status read_table(const char *path, ew_text *text)
{
    static const char ending[] = ".removal.csv";
    char *name;
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    const size_t n = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
    EW_TRY(ew_new(&name, n + sizeof ending, 1));
    memcpy(name, path, n);
    memcpy(name + n, ending, sizeof ending);
    const ew_status status = ew_file_read(name, text);
    ew_release(name);
    return status == EW_IO ? EW_OK : status; /* it may be elsewhere: the page does without */
}

ew_status report_add_rounds(page *to, const char *path, const ew_result_view *view)
{
    ew_text text = {0};
    rounds in = {0};
    size_t n_line = 1;
    EW_TRY(has_removal(view) ? read_table(path, &text) : EW_OK);
    for (size_t i = 0; i < text.size; i++) {
        n_line += text.data[i] == '\n';
    }
    ew_status status = ew_new(&in.round, 3 * n_line, sizeof *in.round);
    if (!status) {
        in.share = in.round + n_line;
        in.stiffer = in.share + n_line;
        in.at = text.data;
        in.end = text.data + text.size;
        if (text.size && read_head(&in)) {
            page_add(to, "<h2>Rounds of element removal</h2>\n");
            add_all(&in, to);
        }
    }
    ew_release(in.round);
    ew_text_free(&text);
    return status;
}
