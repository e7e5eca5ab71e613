/* A result file being read in a process of its own: opened, its format checked, its texts. No more
 * bytes are taken than the file has. */
#include "results/source.h"

#include <stdio.h>
#include <string.h>

ew_status ew_source_claim(ew_source *from, const char *name, uint64_t bytes)
{
    if (bytes > from->left) {
        return ew_fail(EW_BAD_INPUT, "%s: %s claims more bytes than the file has", from->path,
                       name);
    }
    from->left -= bytes;
    return EW_OK;
}

static ew_status check_format(const ew_source *from, hid_t root)
{
    int32_t format = 0;
    hid_t attribute = H5Aexists(root, "format") > 0 ? H5Aopen(root, "format", H5P_DEFAULT) : -1;
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    if (space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && type >= 0 &&
        H5Tequal(type, H5T_STD_I32LE) > 0) {
        H5Aread(attribute, H5T_NATIVE_INT32, &format);
    }
    ew_h5_close(&type);
    ew_h5_close(&space);
    ew_h5_close(&attribute);
    if (format < 1) {
        return ew_fail(EW_BAD_INPUT, "%s: an HDF5 file, but not a result of Edgewise", from->path);
    }
    if (format > EW_RESULT_FORMAT) {
        return ew_fail(EW_BAD_INPUT,
                       "%s: written by a newer Edgewise (format %d; this program reads %d)",
                       from->path, format, EW_RESULT_FORMAT);
    }
    return EW_OK;
}

/* Opens /Edgewise of a file of a known format. */
ew_status ew_source_open(ew_source *from, hid_t *root)
{
    EW_TRY(ew_guard_file(from->path, &from->file));
    ew_open_nothing_more();
    if (!ew_guard_has(from->file, "Edgewise")) {
        return ew_fail(EW_BAD_INPUT, "%s: an HDF5 file, but not a result of Edgewise", from->path);
    }
    EW_TRY(ew_guard_child(from->path, from->file, "Edgewise", "/Edgewise", root));
    if (H5Iget_type(*root) != H5I_GROUP) {
        return ew_fail(EW_BAD_INPUT, "%s: /Edgewise is not a group", from->path);
    }
    return check_format(from, *root);
}

ew_status ew_source_text(ew_source *from, hid_t root, const char *name, char **text)
{
    hid_t set = -1;
    char label[EW_RESULT_PATH];
    snprintf(label, sizeof label, "/Edgewise/%s", name);
    EW_TRY(ew_guard_child(from->path, root, name, label, &set));
    const bool is_set = H5Iget_type(set) == H5I_DATASET;
    hid_t type = is_set ? H5Dget_type(set) : -1;
    hid_t space = is_set ? H5Dget_space(set) : -1;
    ew_status status = EW_OK;
    char *read = NULL;
    if (type < 0 || space < 0 || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) ||
        H5Sget_simple_extent_npoints(space) != 1) {
        status = ew_fail(EW_BAD_INPUT, "%s: %s is not a text", from->path, label);
        goto out;
    }
    size_t size = H5Tget_size(type);
    EW_TRY_OUT(ew_source_claim(from, label, size));
    EW_TRY_OUT(ew_new_zero(&read, size + 1, 1));
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) < 0) {
        status = ew_h5_fail(EW_BAD_INPUT, from->path, "read %s", label);
        goto out;
    }
    *text = read;
    read = NULL;
out:
    ew_release(read);
    ew_h5_close(&space);
    ew_h5_close(&type);
    ew_h5_close(&set);
    return status;
}

/* A text attribute of /Edgewise, "" where it is absent. */
ew_status ew_source_attribute(ew_source *from, hid_t root, const char *name, char **text)
{
    hid_t attribute = H5Aexists(root, name) > 0 ? H5Aopen(root, name, H5P_DEFAULT) : -1;
    hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    const bool is_text = type >= 0 && H5Tget_class(type) == H5T_STRING &&
                         !H5Tis_variable_str(type) && H5Sget_simple_extent_npoints(space) == 1;
    const size_t size = is_text ? H5Tget_size(type) : 0;
    char *read = NULL;
    ew_status status = ew_source_claim(from, name, size);
    if (!status) {
        status = ew_new_zero(&read, size + 1, 1);
    }
    if (!status && attribute >= 0 && (!is_text || H5Aread(attribute, type, read) < 0)) {
        status = ew_fail(EW_BAD_INPUT, "%s: the attribute %s of /Edgewise is not a text",
                         from->path, name);
    }
    if (status) {
        ew_release(read);
    } else {
        *text = read;
    }
    ew_h5_close(&space);
    ew_h5_close(&type);
    ew_h5_close(&attribute);
    return status;
}
