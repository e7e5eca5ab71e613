/* Parameters of the cards that make a mesh. In: cards. Out: a refusal of those that are not read:
 * a set or an element without them would be another one. */
#include "format/abaqus/inp.h"

#include <string.h>

/* Parameters that are read, and parameters without an effect here. */
static const struct {
    const char *card, *known;
} cards[] = {{"NODE", "NSET SYSTEM INPUT"},
             {"ELEMENT", "TYPE ELSET INPUT"},
             {"NSET", "NSET ELSET GENERATE INSTANCE INTERNAL UNSORTED"},
             {"ELSET", "ELSET GENERATE INSTANCE INTERNAL UNSORTED"},
             {"SURFACE", "NAME TYPE COMBINE INTERNAL"}};

ew_status ew_inp_check_parameters(const ew_deck *deck)
{
    for (int32_t i = 0; i < deck->n_card; i++) {
        const ew_deck_card *card = &deck->card[i];
        for (size_t k = 0; k < sizeof cards / sizeof *cards; k++) {
            int32_t at = 0;
            const char *key = strcmp(ew_deck_name(deck, card), cards[k].card)
                                  ? NULL
                                  : ew_deck_unknown(deck, card, cards[k].known, &at);
            if (key) {
                return ew_deck_fail(deck, card->file, card->line,
                                    "*%s: the parameter %.40s is not read; those that are: %s",
                                    cards[k].card, key, cards[k].known);
            }
        }
    }
    return EW_OK;
}
