/* Points of contacts, for all that works on them: their place in failures, what is largest there,
 * that their equations are to be made again, how often they changed,
 * what they meet. */
#include "model/internal.h"

#include <math.h>

int32_t model_place_of_contact(const ew_model *model, int32_t contact)
{
    return model->equations.n + model->equations.n_coupling + model->ties.n + contact;
}

void model_forget_equations(ew_model *model)
{
    model->contacts.keeps_rows = model->equations.is_current = false;
}

void model_renew_contact_equations(ew_model *model)
{
    model->contacts.keeps_rows = model->contacts.keeps_rows || model->equations.is_current;
    model->equations.is_current = false;
}

void model_find_largest_contact(const ew_model *model, const double *u, double *pressure,
                                double *displacement)
{
    const model_contacts *of = &model->contacts;
    *pressure = *displacement = 0.0;
    for (int32_t k = 0, i = 0; k < of->n_part; k++) {
        for (int32_t r = 0; r < of->part[k].rows.n; r++, i++) {
            *pressure = fmax(*pressure, fabs(of->force[i]) / of->part[k].rows.area[r]);
        }
    }
    for (int64_t i = 0; i < 3 * (int64_t)model->mesh.n_vertex; i++) {
        *displacement = fmax(*displacement, fabs(u[i]));
    }
}

bool model_has_friction(const ew_model *model)
{
    bool any = false;
    for (int32_t i = 0; i < model->contacts.n; i++) {
        any = any || model->contacts.given[i].friction > 0.0;
    }
    return any;
}

void model_begin_rounds(model_contacts *of)
{
    of->n_round = 0;
    for (int32_t i = 0; i < of->n_point; i++) {
        of->point[i].n_change = 0;
    }
}

void model_end_rounds(model_contacts *of)
{
    for (int32_t i = 0; i < of->n_point && of->n_round > MODEL_ROUNDS_OF_ALL; i++) {
        const model_contact_point *point = &of->point[i];
        if (point->n_change > of->turns.n_change) {
            of->turns =
                (model_turns){of->n_round, point->n_change, point->contact, point->vertex_id};
        }
    }
}

void ew_model_forget_turns(ew_model *model)
{
    model->contacts.turns = (model_turns){0};
}

int32_t model_find_master(const ew_model *model, const ew_contact_rows *rows, int32_t r)
{
    int32_t found = -1;
    double largest = 0.0;
    for (int32_t t = rows->begin[r]; t < rows->begin[r + 1];) {
        const int32_t v = rows->entry[t] / 3;
        double weight = 0.0; /* of masters: they move along the normal of the slave */
        for (; t < rows->begin[r + 1] && rows->entry[t] / 3 == v; t++) {
            weight += rows->factor[t] * rows->normal[3 * (size_t)r + (size_t)(rows->entry[t] % 3)];
        }
        if (v < model->mesh.n_vertex && weight > largest) {
            largest = weight;
            found = v;
        }
    }
    return found;
}

int32_t ew_model_find_master(const ew_model *model, int32_t contact, int32_t slave)
{
    const model_contacts *of = &model->contacts;
    int32_t found = -1;
    double least = INFINITY;
    for (int32_t k = 0, i = 0; k < of->n_part; k++) {
        const ew_contact_rows *rows = &of->part[k].rows;
        for (int32_t r = 0; r < rows->n; r++, i++) {
            if (of->part[k].contact == contact && rows->vertex[r] == slave &&
                of->point[i].between < least) {
                least = of->point[i].between;
                found = model_find_master(model, rows, r);
            }
        }
    }
    return found;
}
