/* The mesh of the last frame on a report page: the counts and the volume that its step has in the
 * result, in the words of `run`, then edges, quality and box of its tets. */
#include "report_page.h"

/* otherwise: where the file has no such number, or none that counts anything. */
static int64_t count_of(const ew_view_step *step, const char *name, int64_t otherwise)
{
    const double *value = ew_view_find(step->n_number, step->number, name, 1);
    return value && *value >= 0 && *value <= INT32_MAX ? (int64_t)*value : otherwise;
}

void report_add_mesh(page *to, const ew_view_step *step, const ew_view_frame *frame,
                     const skin *body)
{
    const ew_mesh_measure *measure = &body->measure;
    const double *volume = ew_view_find(step->n_number, step->number, "volume", 1);
    const int64_t n_quadratic_edge = count_of(step, "n_quadratic_edge", 0);
    char tets[32], vertices[32], faces[32], edges[32];
    page_add(to, "<p>%s tets, %s vertices, %s boundary faces; volume %.6g",
             tool_count(count_of(step, "n_tet", frame->n_tet), tets),
             tool_count(count_of(step, "n_vertex", frame->n_point), vertices),
             tool_count(body->n_face, faces), volume ? *volume : measure->volume);
    if (n_quadratic_edge > 0) {
        page_add(to, ", %s edges of quadratic tets", tool_count(n_quadratic_edge, edges));
    }
    page_add(to,
             "; edges from %.4g to %.4g; quality min %.3g, mean %.3g. Box (%.5g, %.5g, %.5g) to "
             "(%.5g, %.5g, %.5g).</p>\n",
             measure->shortest_edge, measure->longest_edge, measure->min_quality,
             measure->mean_quality, measure->low[0], measure->low[1], measure->low[2],
             measure->high[0], measure->high[1], measure->high[2]);
    page_add_histogram(to, measure->histogram);
}
