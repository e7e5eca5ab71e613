/* The table of `converge:`: on the terminal, and as NAME.convergence.csv. */
#include "report_places.h"

#include <math.h>

static const char *const quantities[] = {"von_mises", "displacement", "strain_energy"};

static bool has_convergence(const ew_case *input)
{
    bool any = false;
    for (int32_t s = 0; s < input->n_step; s++) {
        any = any || input->step[s].converge;
    }
    return any;
}

static void add_number(page *to, double value)
{
    page_add(to, isnan(value) ? "," : ",%.17g", value);
}

static ew_status append(ew_result *result, page *made)
{
    ew_status status = made->status;
    if (!status && made->text.size) {
        status =
            ew_result_append_file(result, ".convergence.csv", made->text.data, made->text.size);
    }
    ew_text_free(&made->text);
    return status;
}

ew_status report_convergence_begin(const ew_case *input, ew_result *result)
{
    page head = {0};
    if (has_convergence(input)) {
        page_add(&head, "step%s,round,size,tets,unknowns,value,change,extrapolated,order\n",
                 input->sweep ? ",combination" : "");
    }
    return append(result, &head);
}

ew_status report_convergence_step(const ew_case *input, const ew_step_report *step,
                                  ew_result *result)
{
    const ew_convergence *table = step->convergence;
    page made = {0};
    for (int32_t i = 0; table && i < table->n_row; i++) {
        const ew_convergence_row *row = &table->row[i];
        report_begin_row(&made, input, step, NULL);
        page_add(&made, ",%d", (int)i);
        add_number(&made, row->size);
        page_add(&made, ",%d,%lld", (int)row->n_tet, (long long)row->n_unknown);
        add_number(&made, row->value);
        add_number(&made, row->change);
        add_number(&made, row->extrapolated);
        add_number(&made, row->order);
        page_add(&made, "\n");
    }
    return append(result, &made);
}

void report_convergence_name_file(const ew_case *input, const char *name)
{
    if (has_convergence(input)) {
        printf(", convergence: %s.convergence.csv", name);
    }
}

static void print_cell(double value, const char *format)
{
    if (isnan(value)) {
        printf(" %13s", "-");
    } else {
        printf(format, value);
    }
}

void report_convergence_print(const ew_step_report *step)
{
    const ew_convergence *table = step->convergence;
    if (!table || !table->n_row) {
        return;
    }
    printf("  convergence of %s%s%s\n", quantities[table->quantity], table->set ? " on " : "",
           table->set ? table->set : "");
    printf("  %13s %13s %13s %13s %13s %13s %13s\n", "size", "tets", "unknowns", "value",
           "change %", "extrapolated", "order");
    for (int32_t i = 0; i < table->n_row; i++) {
        const ew_convergence_row *row = &table->row[i];
        char tets[32], unknowns[32];
        printf("  %13.5g %13s %13s %13.6g", row->size, tool_count(row->n_tet, tets),
               tool_count(row->n_unknown, unknowns), row->value);
        print_cell(100.0 * row->change, " %13.3g");
        print_cell(row->extrapolated, " %13.6g");
        print_cell(row->order, " %13.2f");
        puts("");
    }
}
