/* Private to scene: an XML document as a tree. */
#ifndef EW_SCENE_XML_H
#define EW_SCENE_XML_H

#include "base/parts/base.h"

/* Elements in the order of the document; texts are offsets. */
typedef struct xml_element {
    int32_t line, parent; /* parent: -1 of the first */
    int32_t name;         /* offset */
    int32_t first, n;     /* attributes */
} xml_element;

typedef struct xml_tree {
    int32_t n, capacity;
    xml_element *element; /* [n] owned */
    int32_t n_attribute, attribute_capacity;
    int32_t *attribute; /* [n_attribute][2] owned: offsets of name and value */
    int32_t n_text, text_capacity;
    char *text; /* [n_text] owned: words with zeros behind them */
} xml_tree;
ew_status xml_read(const char *data, size_t size, xml_tree *tree);
void xml_free(xml_tree *tree);

static inline const char *xml_name(const xml_tree *tree, int32_t element)
{
    return tree->text + tree->element[element].name;
}
/* The value, or null. */
const char *xml_find(const xml_tree *tree, int32_t element, const char *attribute);

#endif
