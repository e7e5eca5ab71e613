/* The notes of a result file in, its XDMF text out: a temporal collection of grids, each pointing
 * at the virtual datasets of its frame. Reference: XDMF Model and Format, version 2 (the element
 * and attribute names are common to versions 2 and 3). */
#define _POSIX_C_SOURCE 200809L
#include "results/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

static void put_item(FILE *out, const char *file, int32_t frame, const char *path, ew_number number,
                     const char *dimensions)
{
    fprintf(out, "<DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%zu\" Dimensions=\"%s\">",
            number == EW_F64 || number == EW_F32 ? "Float"
            : number == EW_U8                    ? "UChar"
                                                 : "Int",
            ew_number_bytes(number), dimensions);
    put_escaped(out, file);
    fprintf(out, ":/Frames/%06d/", frame);
    put_escaped(out, path);
    fputs("</DataItem>", out);
}

/* Six components go as matrices of one row. "Tensor6" has another order of components, and with
 * plain rows [n][6] VTK 9.7 takes the whole array for one tuple; this form every reader agrees on.
 */
static void put_attribute(FILE *out, const char *file, int32_t frame, const ew_column *column,
                          int32_t n)
{
    bool on_vertices = column->place == EW_ON_VERTICES;
    int32_t width = column->data.width;
    const char *type = width == 0 ? "Scalar" : width == 3 ? "Vector" : "Matrix";
    fputs("        <Attribute Name=\"", out);
    put_escaped(out, column->name);
    fprintf(out, "\" AttributeType=\"%s\" Center=\"%s\">", type, on_vertices ? "Node" : "Cell");
    char dimensions[64];
    if (width == 0) {
        snprintf(dimensions, sizeof dimensions, "%d", n);
    } else {
        snprintf(dimensions, sizeof dimensions, width == 3 ? "%d %d" : "%d 1 %d", n, width);
    }
    char path[EW_RESULT_PATH];
    snprintf(path, sizeof path, "%s/%s", on_vertices ? "PointData" : "CellData", column->name);
    put_item(out, file, frame, path, column->data.stored, dimensions);
    fputs("</Attribute>\n", out);
}

static void put_frame(FILE *out, const char *file, const ew_result *result,
                      const ew_frame_note *note)
{
    const int32_t f = note->step;
    fprintf(out, "      <Grid Name=\"%06d\" GridType=\"Uniform\">\n", f);
    fprintf(out, "        <Time Value=\"%.17g\"/>\n", note->time);
    fprintf(out, "        <Topology TopologyType=\"%s\" NumberOfElements=\"%d\">",
            result->n_node == 4 ? "Tetrahedron" : "Tetrahedron_10", note->n_tet);
    char dimensions[32];
    snprintf(dimensions, sizeof dimensions, "%d %d", note->n_tet, result->n_node);
    put_item(out, file, f, "Tets", EW_I64, dimensions);
    fputs("</Topology>\n        <Geometry GeometryType=\"XYZ\">", out);
    snprintf(dimensions, sizeof dimensions, "%d 3", note->n_point);
    put_item(out, file, f, "Points", EW_F64, dimensions);
    fputs("</Geometry>\n", out);
    const int n_column = ew_result_n_column(result);
    for (int k = EW_COLUMN_VERTEX_ID; k < EW_N_MESH_COLUMN + n_column; k++) {
        const ew_column *column = k < EW_N_MESH_COLUMN
                                      ? &result->mesh[k]
                                      : ew_result_column(result, k - EW_N_MESH_COLUMN);
        if (!ew_result_has_column(result, note->fields, k - EW_N_MESH_COLUMN)) {
            continue;
        }
        put_attribute(out, file, f, column,
                      column->place == EW_ON_VERTICES ? note->n_point : note->n_tet);
    }
    fputs("      </Grid>\n", out);
}

ew_status ew_xdmf_write(const ew_result *result)
{
    const char *slash = strrchr(result->path, '/');
    const char *file = slash ? slash + 1 : result->path;
    const int descriptor = fcntl(result->xdmf_descriptor, F_DUPFD_CLOEXEC, 0);
    FILE *out = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!out) {
        return ew_fail(EW_IO, "%s: cannot create: %s", result->xdmf_path, strerror(errno));
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"2.0\">\n  <Domain>\n"
          "    <Grid Name=\"study\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
          out);
    for (int32_t f = 0; f < result->n_frame; f++) {
        put_frame(out, file, result, &result->frame[f]);
    }
    fputs("    </Grid>\n  </Domain>\n</Xdmf>\n", out);
    errno = 0;
    bool bad = fflush(out) != 0 || ferror(out);
    int reason = errno;
    if (fclose(out) != 0 && !bad) {
        bad = true;
        reason = errno;
    }
    if (bad) {
        return ew_fail(EW_IO, "%s: cannot write: %s", result->xdmf_path,
                       reason ? strerror(reason) : "an earlier write failed");
    }
    return EW_OK;
}
