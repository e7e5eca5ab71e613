/* Keys that cases of other programs have. In: the root of a case. Out: a failure that says what
 * stands for such a key here, where the case has one. */
#include "study/case_reader.h"

ew_status ew_case_refuse_foreign_keys(ew_yaml *yaml, const yaml_node_t *root)
{
    static const struct {
        const char *words, *remedy;
    } foreign[] = {
        {"contact contacts contact_pairs friction",
         "there is no contact: bodies either are one mesh, joined by 'add: {mesh: ..., weld: ...}' "
         "under 'edit:' of a step, or do not touch; where one presses on another give its "
         "pressure under 'loads', a stop as a displacement or a spring under 'constraints'"},
        {"tie ties bond bonded glue interfaces",
         "bodies are joined by being one mesh: 'add: {mesh: ..., weld: ...}' under 'edit:' of a "
         "step, or 'edgewise add', welds another one on"},
        {"boundary_conditions boundaries bc bcs supports fixed fix",
         "supports stand under 'constraints': '- {set: wall, displacement: [0, 0, 0]}'"},
        {"forces force pressure gravity weight",
         "it stands in a list under 'loads': '- {set: tip, total_force: [0, 0, -1]}'"},
        {"solver solution analysis procedure",
         "what is solved stands in 'steps': '- {name: bent, static: {solver: cholesky}}'"},
    };
    for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start;
         root->type == YAML_MAPPING_NODE && pair < root->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(&yaml->document, pair->key);
        for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
            if (ew_yaml_is_one_of(key, foreign[i].words)) {
                return ew_yaml_fail(key, "the case: unknown key '%s'; %s",
                                    (const char *)key->data.scalar.value, foreign[i].remedy);
            }
        }
    }
    return EW_OK;
}
