/* A surface written as STL, binary (3D Systems 1989), or as Wavefront OBJ. In: triangles that look
 * outward. Out: bytes. STL has single precision and no names; OBJ has a group for each label, by
 * its name where it has one. */
#include "format/framework/print.h"
#include "format/framework/surface.h"
#include "meshing/parts/meshing.h"

#include <math.h>
#include <string.h>

enum { STL_HEAD = 84, STL_TRIANGLE = 50 };

static void put_u32(unsigned char *to, uint32_t value)
{
    for (int k = 0; k < 4; k++) {
        to[k] = (unsigned char)(value >> (8 * k));
    }
}

static void put_float(unsigned char *to, double value)
{
    const float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    put_u32(to, bits);
}

/* Of length 1; 0 of a triangle without area. */
static void find_normal(const double *a, const double *b, const double *c, double normal[3])
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        normal[k] = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
    }
    const double length =
        sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int k = 0; k < 3; k++) {
        normal[k] = length > 0.0 ? normal[k] / length : 0.0;
    }
}

ew_status ew_surface_write_stl(const ew_surface *surface, ew_text *file)
{
    static const char head[] = "Edgewise: binary STL"; /* not "solid", which begins a text */
    const size_t size = STL_HEAD + STL_TRIANGLE * (size_t)surface->n_triangle;
    char *data;
    EW_TRY(ew_new_zero(&data, size, 1));
    memcpy(data, head, sizeof head);
    put_u32((unsigned char *)data + 80, (uint32_t)surface->n_triangle);
    for (int32_t i = 0; i < surface->n_triangle; i++) {
        unsigned char *at = (unsigned char *)data + STL_HEAD + STL_TRIANGLE * (size_t)i;
        const double *corner[3];
        double normal[3];
        for (int k = 0; k < 3; k++) {
            corner[k] = surface->xyz + 3 * (size_t)surface->triangle[3 * (size_t)i + (size_t)k];
        }
        find_normal(corner[0], corner[1], corner[2], normal);
        for (int k = 0; k < 12; k++) {
            put_float(at + 4 * k, k < 3 ? normal[k] : corner[k / 3 - 1][k % 3]);
        }
    }
    *file = (ew_text){.data = data, .size = size};
    return EW_OK;
}

/* ---- OBJ ------------------------------------------------------------------------------------- */

/* A name of an OBJ ends at a blank. */
static void put_group(ew_text *text, const ew_groups *groups, int32_t label)
{
    const char *name =
        label == EW_NO_LABEL ? "surface" : ew_groups_label_name(groups, EW_GROUP_FACES, label);
    ew_put_text(text, "g ");
    if (!name) {
        ew_put_text(text, "label_");
        ew_put_int(text, label);
    }
    for (; name && *name; name++) {
        const char c[2] = {*name == ' ' ? '_' : *name, 0};
        ew_put_text(text, c);
    }
    ew_put_text(text, "\n");
}

static ew_status list_labels(const ew_surface *surface, ew_list *label)
{
    for (int32_t i = 0; i < surface->n_triangle; i++) {
        if (i == 0 || surface->label[i] != surface->label[i - 1]) {
            EW_TRY(ew_list_push(label, surface->label[i]));
        }
    }
    ew_list_sort_unique(label);
    return EW_OK;
}

static ew_status put_obj(const ew_surface *surface, const ew_groups *groups, const ew_list *label,
                         ew_text *text)
{
    size_t capacity = 0;
    EW_TRY(ew_text_room(text, &capacity,
                        (size_t)surface->n_vertex * (3 * (EW_MAX_DOUBLE + 1) + 3) +
                            (size_t)surface->n_triangle * (3 * (EW_MAX_INT + 1) + 3) +
                            (size_t)label->n * (EW_GROUP_NAME + 20) + 64));
    ew_put_text(text, "# A surface of Edgewise\n");
    for (int32_t v = 0; v < surface->n_vertex; v++) {
        ew_put_text(text, "v");
        for (int c = 0; c < 3; c++) {
            ew_put_text(text, " ");
            ew_put_double(text, surface->xyz[3 * (size_t)v + (size_t)c], 17);
        }
        ew_put_text(text, "\n");
    }
    for (int32_t k = 0; k < label->n; k++) {
        put_group(text, groups, label->id[k]);
        for (int32_t i = 0; i < surface->n_triangle; i++) {
            for (int c = 0; c < 3 && surface->label[i] == label->id[k]; c++) {
                ew_put_text(text, c ? " " : "f ");
                ew_put_int(text, surface->triangle[3 * (size_t)i + (size_t)c] + 1);
                ew_put_text(text, c == 2 ? "\n" : "");
            }
        }
    }
    return EW_OK;
}

ew_status ew_surface_write_obj(const ew_surface *surface, const ew_groups *groups, ew_text *file)
{
    ew_list label = {0};
    ew_text text = {0};
    ew_status status = list_labels(surface, &label);
    status = status ? status : put_obj(surface, groups, &label, &text);
    ew_list_free(&label);
    if (status) {
        ew_text_free(&text);
        return status;
    }
    *file = text;
    return EW_OK;
}
