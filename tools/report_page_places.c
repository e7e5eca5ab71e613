/* Places on a report page: paths as curves, walls, sections, mass and convergence as tables. In:
 * the tables beside the result, which are there where its case wanted places. Out: the part of the
 * page. */
#include "report_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_CELLS = 40, N_CURVE = 7, MAX_ROWS = 400 };

/* A line of a table in cells, quotes taken off; it is cut up. */
static int split(char *line, char *cell[MAX_CELLS])
{
    int n = 0;
    for (char *at = line; n < MAX_CELLS; at++) {
        char *to = cell[n++] = at;
        bool quoted = false;
        for (; *at && (quoted || *at != ','); at++) {
            if (*at == '"') {
                quoted = !quoted;
                if (quoted && at > cell[n - 1] && at[-1] == '"') {
                    *to++ = '"';
                }
            } else {
                *to++ = *at;
            }
        }
        const bool last = !*at;
        *to = 0;
        if (last) {
            break;
        }
    }
    return n;
}

/* NAME.ENDING beside NAME.vtkhdf, owned, with a zero behind it; null where there is none. */
static ew_status read_table(const char *result, const char *ending, char **table)
{
    const char *dot = strrchr(result, '.'), *slash = strrchr(result, '/');
    const size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - result) : strlen(result);
    char *path = NULL;
    ew_text text = {0};
    *table = NULL;
    EW_TRY(ew_new(&path, stem + strlen(ending) + 1, 1));
    memcpy(path, result, stem);
    strcpy(path + stem, ending);
    ew_status status = access(path, R_OK) ? EW_OK : ew_file_read(path, &text);
    if (!status && text.size) {
        status = ew_new_zero(table, text.size + 1, 1);
    }
    if (!status && text.size) {
        memcpy(*table, text.data, text.size);
    }
    ew_text_free(&text);
    ew_release(path);
    return status;
}

static char *next_line(char **at)
{
    char *line = *at;
    const size_t n = strcspn(line, "\r\n");
    *at = line + n + strspn(line + n, "\r\n");
    line[n] = 0;
    return line;
}

static void add_row(page *to, int n, char *const *cell, bool is_head)
{
    page_add(to, is_head ? "<thead><tr>" : "<tr>");
    for (int k = 0; k < n; k++) {
        char *end;
        const double value = strtod(cell[k], &end);
        const bool is_number = end > cell[k] && !*end;
        page_add(to, is_head ? "<th>" : is_number ? "<td>" : "<td class='t'>");
        if (is_number) {
            page_add(to, "%.6g", value);
        } else {
            page_add_text(to, cell[k]);
        }
        page_add(to, is_head ? "</th>" : "</td>");
    }
    page_add(to, is_head ? "</tr></thead>\n" : "</tr>\n");
}

static ew_status add_table(page *to, const char *result, const char *ending, const char *title,
                           const char *units)
{
    char *cell[MAX_CELLS], *table;
    EW_TRY(read_table(result, ending, &table));
    char *at = table;
    if (at && *at) {
        page_add(to, "<h2>%s</h2>\n", title);
        page_open_table(to);
        for (int row = 0; *at && row <= MAX_ROWS; row++) {
            const int n = split(next_line(&at), cell);
            add_row(to, n, cell, row == 0);
        }
        page_close_table(to);
        page_add(to, *at ? "<p>More rows stand in the table beside the result.</p>\n" : "");
        page_add(to, *units ? "<p>Units: " : "");
        page_add_text(to, units);
        page_add(to, *units ? ".</p>\n" : "");
    }
    ew_release(table);
    return EW_OK;
}

/* ---- curves ---------------------------------------------------------------------------------- */

typedef struct path_curves {
    char name[200]; /* of step and path */
    int32_t n, capacity;
    double *row; /* [n][1 + N_CURVE] owned: distance, components of stress, von Mises */
} path_curves;

static void draw(page *to, const char *unit, const char *length, path_curves *curves)
{
    static const char *const names[N_CURVE] = {"xx", "yy", "zz", "xy", "yz", "xz", "von Mises"};
    page_curve curve[N_CURVE];
    double *time = NULL;
    if (curves->n > 1 && !ew_new(&time, (size_t)curves->n, sizeof *time)) {
        for (int32_t i = 0; i < curves->n; i++) {
            time[i] = curves->row[(size_t)i * (1 + N_CURVE)];
        }
        for (int k = 0; k < N_CURVE; k++) {
            curve[k] = (page_curve){names[k], curves->row + 1 + k, 1 + N_CURVE};
        }
        page_add_lines(to, &(page_lines){.title = curves->name,
                                         .unit = unit,
                                         .axis = "distance",
                                         .time_unit = length,
                                         .n = curves->n,
                                         .time = time,
                                         .n_curve = N_CURVE,
                                         .curve = curve});
        ew_release(time);
    }
    curves->n = 0;
}

static int column_of(int n, char *const *head, const char *name)
{
    for (int k = 0; k < n; k++) {
        if (!strcmp(head[k], name)) {
            return k;
        }
    }
    return -1;
}

static double number_of(const char *text)
{
    return *text ? strtod(text, NULL) : NAN;
}

static ew_status add_point(path_curves *curves, char *const *cell, int distance, int stress)
{
    EW_TRY(ew_grow(&curves->row, &curves->capacity, (int64_t)curves->n + 1,
                   (1 + N_CURVE) * sizeof *curves->row));
    double *row = curves->row + (size_t)curves->n++ * (1 + N_CURVE);
    row[0] = number_of(cell[distance]);
    for (int k = 0; k < N_CURVE; k++) {
        row[1 + k] = number_of(cell[stress + k]);
    }
    return EW_OK;
}

/* Rows of one path of one step follow each other. */
static ew_status add_paths(page *to, const char *result, const char *unit, const char *length)
{
    char *head[MAX_CELLS], *cell[MAX_CELLS], *table;
    path_curves curves = {0};
    EW_TRY(read_table(result, ".paths.csv", &table));
    char *at = table;
    ew_status status = EW_OK;
    if (at && *at) {
        const int n = split(next_line(&at), head);
        const int path = column_of(n, head, "path"), distance = column_of(n, head, "distance");
        const int point = column_of(n, head, "point"), stress = column_of(n, head, "stress_xx");
        const bool is_known = path > 0 && distance > 0 && point > 0 && stress > 0;
        page_add(to, is_known ? "<h2>Stress along paths</h2>\n" : "");
        while (*at && is_known && !status) {
            if (split(next_line(&at), cell) != n) {
                break;
            }
            if (!strcmp(cell[point], "0")) {
                draw(to, unit, length, &curves);
                snprintf(curves.name, sizeof curves.name, "%.90s, %.90s", cell[path], cell[0]);
            }
            status = add_point(&curves, cell, distance, stress);
        }
        draw(to, unit, length, &curves);
    }
    ew_release(curves.row);
    ew_release(table);
    return status;
}

/* ---- convergence ----------------------------------------------------------------------------- */

/* The value and the extrapolated one over the size, from small to large; rows of one step follow
 * each other from large to small. */
static void draw_rounds(page *to, const char *length, const char *step, int32_t n,
                        const double *row)
{
    static const char *const names[2] = {"value", "extrapolated"};
    double *up = NULL, *size = NULL;
    if (n < 2 || ew_new(&up, 2 * (size_t)n, sizeof *up)) {
        return;
    }
    if (!ew_new(&size, (size_t)n, sizeof *size)) {
        for (int32_t i = 0; i < n; i++) {
            const double *from = row + 3 * (size_t)(n - 1 - i);
            size[i] = from[0];
            up[2 * (size_t)i] = from[1];
            up[2 * (size_t)i + 1] = from[2];
        }
        const page_curve curve[2] = {{names[0], up, 2}, {names[1], up + 1, 2}};
        page_add_lines(to, &(page_lines){.title = step,
                                         .unit = "",
                                         .axis = "size of tets",
                                         .time_unit = length,
                                         .n = n,
                                         .time = size,
                                         .n_curve = 2,
                                         .curve = curve,
                                         .has_marks = true});
    }
    ew_release(up);
    ew_release(size);
}

static ew_status add_rounds(page *to, const char *result, const char *length)
{
    char *head[MAX_CELLS], *cell[MAX_CELLS], *table, *name = NULL;
    double *row = NULL;
    int32_t n = 0, capacity = 0;
    EW_TRY(read_table(result, ".convergence.csv", &table));
    char *at = table;
    ew_status status = EW_OK;
    if (at && *at) {
        const int n_column = split(next_line(&at), head);
        const int round = column_of(n_column, head, "round"),
                  size = column_of(n_column, head, "size");
        const int value = column_of(n_column, head, "value");
        const int extrapolated = column_of(n_column, head, "extrapolated");
        const bool is_known = round > 0 && size > 0 && value > 0 && extrapolated > 0;
        while (*at && is_known && !status && split(next_line(&at), cell) == n_column) {
            if (!strcmp(cell[round], "0")) {
                draw_rounds(to, length, name, n, row);
                n = 0;
            }
            name = cell[0];
            status = ew_grow(&row, &capacity, (int64_t)n + 1, 3 * sizeof *row);
            if (!status) {
                row[3 * (size_t)n] = number_of(cell[size]);
                row[3 * (size_t)n + 1] = number_of(cell[value]);
                row[3 * (size_t)n++ + 2] = number_of(cell[extrapolated]);
            }
        }
        draw_rounds(to, length, name, n, row);
    }
    ew_release(row);
    ew_release(table);
    return status;
}

/* "length mm, force N"; "" where the case names none. */
static void write_units(const ew_result_view *view, char units[EW_UNIT_TEXT])
{
    const char *const name[] = {view->length_unit, view->force_unit, view->time_unit};
    static const char *const of[] = {"length", "force", "time"};
    size_t n = 0;
    units[0] = 0;
    for (int k = 0; k < 3 && n < EW_UNIT_TEXT; k++) {
        if (*name[k]) {
            n += (size_t)snprintf(units + n, EW_UNIT_TEXT - n, "%s%s %.30s", n ? ", " : "", of[k],
                                  name[k]);
        }
    }
}

ew_status report_add_places(page *to, const char *path, const ew_result_view *view)
{
    char units[EW_UNIT_TEXT], stress[EW_UNIT_TEXT];
    const char *length = view->length_unit;
    write_units(view, units);
    report_unit_of(view, "force/length^2", stress);
    EW_TRY(add_paths(to, path, stress, length));
    EW_TRY(add_table(to, path, ".linearized.csv", "Stress through walls", units));
    EW_TRY(add_table(to, path, ".sections.csv", "Force and moment through sections", units));
    EW_TRY(add_table(to, path, ".mass.csv", "Mass, center of mass, inertia about it", units));
    EW_TRY(add_table(to, path, ".convergence.csv", "Convergence", units));
    return add_rounds(to, path, length);
}
