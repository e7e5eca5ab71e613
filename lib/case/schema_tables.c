/* The keys of a case: everything of it but steps and what varies (schema_steps.c).
 *
 * Longer than 500 lines because it is one table, a row a key. */
#include "case/schema_keys.h"

/* clang-format off: a row a key */

/* ---- the mesh ---------------------------------------------------------------------------- */

#define LIMITS(type)                                                                               \
    {.name = "max_seconds", .kind = EW_KEY_NUMBER, AT(type, max_seconds), WITHIN(0, 1e9),          \
     .unit = "s", .preset = "600", .rule = "it must not be negative (0: no bound)",                \
     .help = "time after which the mesher is stopped; 0: none"},                                   \
    {.name = "max_memory", .kind = EW_KEY_NUMBER, AT(type, max_memory), WITHIN(0, 1e9),            \
     .unit = "GiB", .preset = "16", .rule = "it must not be negative (0: no bound)",               \
     .help = "memory that the mesher may take; 0: no bound"}

static const ew_case_key surface_mesh[] = {
    {.name = "surface",
     .kind = EW_KEY_TEXT,
     .is_required = true,
     .help = "file of a closed triangle surface"},
    {.name = "file", .kind = EW_KEY_TEXT, .help = "a mesh or CAD file, in place of a surface"},
    {.name = "quality",
     .kind = EW_KEY_NUMBER,
     AT(ew_tetgen_def, quality),
     WITHIN(1, 100),
     .preset = "1.4",
     .rule = "the largest radius-edge ratio must be in [1, 100] (1.4 is good, 2 is quick)",
     .help = "largest radius-edge ratio of a tet"},
    {.name = "max_volume",
     .kind = EW_KEY_NUMBER,
     AT(ew_tetgen_def, max_volume),
     ABOVE(0),
     .unit = "length^3",
     .help = "largest volume of a tet; unbounded unless given"},
    {.name = "keep_surface",
     .kind = EW_KEY_TRUTH,
     AT(ew_tetgen_def, keep_surface),
     .preset = "false",
     .help = "do not split the triangles of the surface"},
    {.name = "unit",
     .kind = EW_KEY_CHOICE,
     .words = EW_CAD_UNITS,
     .help = "unit of the file, which is converted to that of the case"},
    LIMITS(ew_tetgen_def),
};
SECTION(ew_section_surface_mesh, "mesh", surface_mesh);

static const ew_case_key file_mesh[] = {
    {.name = "file",
     .kind = EW_KEY_TEXT,
     .is_required = true,
     .help = "a mesh file, or a CAD file to be meshed"},
    {.name = "size",
     .kind = EW_KEY_NUMBER,
     AT(ew_cad_def, size),
     ABOVE(0),
     .unit = "length",
     .help = "longest edges; a fifteenth of the diagonal unless given"},
    {.name = "min_size",
     .kind = EW_KEY_NUMBER,
     AT(ew_cad_def, min_size),
     ABOVE(0),
     .unit = "length",
     .help = "least size that curvature asks for; a twentieth of size unless given"},
    {.name = "curvature",
     .kind = EW_KEY_NUMBER,
     AT(ew_cad_def, curvature),
     WITHIN(0, 1000),
     .preset = "0",
     .help = "edges around a full circle of a curved face; 0: by size alone"},
    {.name = "growth",
     .kind = EW_KEY_NUMBER,
     AT(ew_cad_def, growth),
     WITHIN(0.01, 10),
     .preset = "0.3",
     .help = "growth of sizes by length of distance from a face with a size of its own"},
    {.name = "sizes",
     .kind = EW_KEY_NAMES,
     .item = EW_KEY_NUMBER,
     ABOVE(0),
     .unit = "length",
     .help = "sizes of faces, by name or number"},
    {.name = "algorithm",
     .kind = EW_KEY_CHOICE,
     .words = EW_CAD_ALGORITHMS,
     AT(ew_cad_def, algorithm),
     .preset = "hxt",
     .help = "algorithm of the mesher"},
    {.name = "solids",
     .kind = EW_KEY_CHOICE,
     .words = EW_CAD_SOLIDS,
     AT(ew_cad_def, solids),
     .help = "of a file with several that touch: joined in common faces, or apart, for contact and "
             "ties; apart with 'contact: all', else joined, unless given"},
    {.name = "quality",
     .kind = EW_KEY_NUMBER,
     AT(ew_cad_def, quality),
     WITHIN(0.1, 0.9),
     .preset = "0.3",
     .help = "mean ratio below which tets are improved, 0.1 to 0.9"},
    {.name = "order",
     .kind = EW_KEY_INTEGER,
     AT(ew_cad_def, order),
     WITHIN(1, 2),
     .preset = "1",
     .help = "2: quadratic tets with curved sides"},
    {.name = "unit",
     .kind = EW_KEY_CHOICE,
     .words = EW_CAD_UNITS,
     .help =
         "of a mesh file: its unit, which is converted to that of the case; of a CAD file: unit "
         "that it is converted to where the case names none"},
    {.name = "sew",
     .kind = EW_KEY_NUMBER,
     AT(ew_cad_def, sew),
     ABOVE(0),
     .unit = "length",
     .help = "largest gap of faces that are joined to solids where the file has none"},
    LIMITS(ew_cad_def),
};
SECTION(ew_section_file_mesh, "mesh", file_mesh);

static const ew_case_key units[] = {
    {.name = "length", .kind = EW_KEY_TEXT, AT(ew_case, length_unit), .help = "unit of length"},
    {.name = "force", .kind = EW_KEY_TEXT, AT(ew_case, force_unit), .help = "unit of force"},
    {.name = "time",
     .kind = EW_KEY_TEXT,
     AT(ew_case, time_unit),
     .help = "unit of time; s unless given"},
    {.name = "files", .kind = EW_KEY_TEXT, AT(ew_case, file_unit),
     .help = "unit of length of files of meshes and surfaces that give none of their own; that of "
             "the case unless given"},
};
SECTION(ew_section_units, "units", units);

/* ---- materials --------------------------------------------------------------------------- */

static const ew_case_key material[] = {
    {.name = "young",
     .kind = EW_KEY_NUMBER | EW_KEY_NUMBERS,
     ABOVE(0),
     .unit = "force/length^2",
     .help = "Young's modulus; three along axes: orthotropic"},
    {.name = "poisson",
     .kind = EW_KEY_NUMBER | EW_KEY_NUMBERS,
     .low = -1,
     .high = 0.5,
     .above = true,
     .help = "Poisson's ratio; nu12, nu13, nu23 of an orthotropic material"},
    {.name = "shear",
     .kind = EW_KEY_NUMBERS,
     .unit = "force/length^2",
     .help = "G12, G13, G23 of an orthotropic material"},
    {.name = "stiffness",
     .kind = EW_KEY_NUMBERS,
     .unit = "force/length^2",
     .help = "9 or 21 entries of the stiffness matrix, in place of the moduli"},
    {.name = "density",
     .kind = EW_KEY_NUMBER,
     AT(ew_material, density),
     ABOVE(0),
     .unit = "mass/length^3",
     .rule = "it must be greater than 0, or left out",
     .help = "mass per volume"},
    {.name = "yield_strength",
     .kind = EW_KEY_NUMBER,
     AT(ew_material, yield_strength),
     ABOVE(0),
     .unit = "force/length^2",
     .help = "yield strength, which the safety is by; materials of the library have one"},
    {.name = "ultimate_strength",
     .kind = EW_KEY_NUMBER,
     AT(ew_material, ultimate_strength),
     ABOVE(0),
     .unit = "force/length^2",
     .help = "ultimate strength, likewise"},
    {.name = "fatigue",
     .kind = EW_KEY_MAPPING,
     .of = &ew_section_material_fatigue,
     .help = "stress-life curve, which the fatigue is by"},
    {.name = "expansion",
     .kind = EW_KEY_NUMBER | EW_KEY_NUMBERS,
     .unit = "1/temperature",
     .help = "thermal expansion; along axes where given as a list"},
    {.name = "axes",
     .kind = EW_KEY_MAPPING,
     .of = &ew_section_material_axes,
     .help = "axes of an anisotropic material"},
    {.name = "region",
     .kind = EW_KEY_LABEL | EW_KEY_MAPPING,
     .of = &ew_section_solid_geometry,
     .help = "region of the mesh, or the solid that is like this; a single material is that of all regions"},
    {.name = "library",
     .kind = EW_KEY_CHOICE | EW_KEY_TEXT,
     .word_at = ew_library_material_name,
     .help = "name of a material of the library, in place of constants"},
};
const ew_case_section ew_section_material = {"material", N_KEY(material), material, true};

static const ew_case_key material_axes[] = {
    {.name = "x", .kind = EW_KEY_VECTOR, .help = "first axis"},
    {.name = "y", .kind = EW_KEY_VECTOR, .help = "vector in the plane of the first two axes"},
    {.name = "cylinder", .kind = EW_KEY_MAPPING, .of = &ew_section_axes_cylinder,
     .help = "radial, tangential, axial"},
    {.name = "csv", .kind = EW_KEY_TEXT, .help = "file with the axes of each tet"},
    {.name = "array", .kind = EW_KEY_TEXT,
     .help = "array of the mesh file with the axes of each tet"},
};
SECTION(ew_section_material_axes, "axes", material_axes);

/* ---- sets -------------------------------------------------------------------------------- */

static const ew_case_key set[] = {
    {.name = "box", .kind = EW_KEY_LIST, .item = EW_KEY_VECTOR, .unit = "length",
     .help = "between two corners"},
    {.name = "sphere", .kind = EW_KEY_MAPPING, .of = &ew_section_sphere,
     .help = "within a distance of a point"},
    {.name = "cylinder", .kind = EW_KEY_MAPPING, .of = &ew_section_cylinder,
     .help = "within a distance of a segment"},
    {.name = "plane", .kind = EW_KEY_MAPPING, .of = &ew_section_plane,
     .help = "within a distance of a plane"},
    {.name = "side", .kind = EW_KEY_MAPPING, .of = &ew_section_side,
     .help = "on the normal's side of a plane"},
    {.name = "nearest", .kind = EW_KEY_VECTOR, .unit = "length",
     .help = "the one nearest to a point"},
    {.name = "region", .kind = EW_KEY_LABEL | EW_KEY_MAPPING, .of = &ew_section_solid_geometry,
     .help = "of a region of the mesh, or of the solid that is like this"},
    {.name = "surface", .kind = EW_KEY_LABEL | EW_KEY_MAPPING, .of = &ew_section_face_geometry,
     .help = "triangles with a label in the mesh file, or of the face that is like this"},
    {.name = "ids", .kind = EW_KEY_NUMBERS, .help = "numbers in the mesh file, from 0"},
    {.name = "all", .kind = EW_KEY_TRUTH, .help = "all members of the kind"},
    {.name = "group", .kind = EW_KEY_TEXT, .help = "group of the mesh file"},
    {.name = "union", .kind = EW_KEY_LIST, .item = EW_KEY_SET,
     .help = "what is in one of these sets"},
    {.name = "intersect", .kind = EW_KEY_LIST, .item = EW_KEY_SET,
     .help = "what is in all of these sets"},
    {.name = "subtract", .kind = EW_KEY_LIST, .item = EW_KEY_SET,
     .help = "the first set without the others"},
    {.name = "of", .kind = EW_KEY_CHOICE, .words = EW_SET_KIND_WORDS,
     .help = "kind of the members"},
    {.name = "normal", .kind = EW_KEY_AXIS,
     .help = "only faces whose outward normal is near this direction"},
    {.name = "angle", .kind = EW_KEY_NUMBER, .high = 180, .above = true, .unit = "degree",
     .preset = "20", .help = "largest angle to `normal`"},
    {.name = "allow_empty", .kind = EW_KEY_TRUTH, .preset = "false",
     .help = "the set may be empty"},
};
SECTION(ew_section_set, "a set", set);

static const ew_case_key plane[] = {
    {.name = "point", .kind = EW_KEY_VECTOR, .is_required = true, AT(ew_selector, a),
     .unit = "length", .help = "a point of the plane"},
    {.name = "normal", .kind = EW_KEY_AXIS, .is_required = true,
     .help = "direction across the plane"},
    {.name = "tolerance", .kind = EW_KEY_NUMBER, AT(ew_selector, radius), FROM(0), .unit = "length",
     .help = "distance from the plane; a millionth of the body's size unless given"},
};
SECTION(ew_section_plane, "plane", plane);
const ew_case_section ew_section_side = {"side", 2, plane, false};

static const ew_case_key symmetry[] = {
    {.name = "point", .kind = EW_KEY_VECTOR, .is_required = true, AT(ew_case_constraint, point),
     .unit = "length", .help = "a point of the plane"},
    {.name = "normal", .kind = EW_KEY_AXIS, .is_required = true,
     .help = "direction across the plane"},
};
SECTION(ew_section_symmetry, "symmetry", symmetry);

static const ew_case_key sphere[] = {
    {.name = "center", .kind = EW_KEY_VECTOR, .is_required = true, AT(ew_selector, a),
     .unit = "length", .help = "center of the sphere"},
    {.name = "radius", .kind = EW_KEY_NUMBER, .is_required = true, AT(ew_selector, radius),
     ABOVE(0), .unit = "length", .help = "radius of the sphere"},
};
SECTION(ew_section_sphere, "sphere", sphere);

static const ew_case_key cylinder[] = {
    {.name = "from", .kind = EW_KEY_VECTOR, .is_required = true, AT(ew_selector, a),
     .unit = "length", .help = "start of the axis"},
    {.name = "to", .kind = EW_KEY_VECTOR, .is_required = true, AT(ew_selector, b), .unit = "length",
     .help = "end of the axis"},
    {.name = "radius", .kind = EW_KEY_NUMBER, .is_required = true, AT(ew_selector, radius),
     ABOVE(0), .unit = "length", .help = "radius of the cylinder"},
};
SECTION(ew_section_cylinder, "cylinder", cylinder);

#define NEAR                                                                                      \
    {.name = "near", .kind = EW_KEY_VECTOR, .is_required = true, AT(ew_geometry_query, near),      \
     .unit = "length", .help = "its centroid"}
#define DEVIATION                                                                                 \
    {.name = "tolerance", .kind = EW_KEY_NUMBER, AT(ew_geometry_query, tolerance), .high = 1,      \
     .above = true, .preset = "0.25", .help = "largest deviation of each of these"}
static const ew_case_key face_geometry[] = {
    {.name = "kind", .kind = EW_KEY_CHOICE, AT(ew_geometry_query, kind),
     .words = EW_GEOMETRY_FACE_KINDS, .help = "shape of the face"},
    NEAR,
    {.name = "direction", .kind = EW_KEY_AXIS,
     .help = "outward normal of a plane; axis of a cylinder, cone or torus"},
    {.name = "radius", .kind = EW_KEY_NUMBER, AT(ew_geometry_query, radius), ABOVE(0),
     .unit = "length", .help = "of a cylinder, a sphere, the tube of a torus"},
    {.name = "area", .kind = EW_KEY_NUMBER, AT(ew_geometry_query, size), ABOVE(0),
     .unit = "length^2", .help = "area of the face"},
    DEVIATION,
};
SECTION(ew_section_face_geometry, "surface", face_geometry);

static const ew_case_key solid_geometry[] = {
    NEAR,
    {.name = "volume", .kind = EW_KEY_NUMBER, AT(ew_geometry_query, size), ABOVE(0),
     .unit = "length^3", .help = "volume of the solid"},
    DEVIATION,
};
SECTION(ew_section_solid_geometry, "region", solid_geometry);

/* ---- surfaces and amplitudes --------------------------------------------------------------- */

static const ew_case_key surface[] = {
    {.name = "file", .kind = EW_KEY_TEXT, .is_required = true, AT(ew_case_surface, file),
     .help = "surface file"},
    {.name = "max_distance", .kind = EW_KEY_NUMBER, AT(ew_case_surface, mapping.max_distance),
     ABOVE(0), .unit = "length",
     .help = "largest distance from the body; half its diagonal unless given"},
    {.name = "removed", .kind = EW_KEY_CHOICE, .words = "rebind drop", .preset = "rebind",
     .help = "treatment of vertices whose tet is removed"},
};
SECTION(ew_section_surface, "a surface", surface);

static const ew_case_key amplitude[] = {
    {.name = "table",
     .kind = EW_KEY_LIST,
     .item = EW_KEY_NUMBERS,
     .unit = "time, 1",
     .help = "list of [time, factor], linear between"},
    {.name = "sine",
     .kind = EW_KEY_MAPPING,
     .of = &ew_section_sine,
     .help = "offset + size sin(2 pi frequency t + phase)"},
    {.name = "step",
     .kind = EW_KEY_MAPPING,
     .of = &ew_section_step_amplitude,
     .help = "a factor from a time on"},
    {.name = "csv",
     .kind = EW_KEY_TEXT | EW_KEY_MAPPING,
     .of = &ew_section_csv,
     .help = "columns of a file"},
};
SECTION(ew_section_amplitude, "an amplitude", amplitude);

static const ew_case_key sine[] = {
    {.name = "frequency", .kind = EW_KEY_NUMBER, .is_required = true, AT(ew_amplitude, frequency),
     .unit = "1/time", .help = "cycles per time, above 0"},
    {.name = "size", .kind = EW_KEY_NUMBER, AT(ew_amplitude, size), .preset = "1",
     .help = "factor of the sine"},
    {.name = "phase", .kind = EW_KEY_NUMBER, AT(ew_amplitude, phase), .unit = "rad", .preset = "0",
     .help = "phase at time 0"},
    {.name = "offset", .kind = EW_KEY_NUMBER, AT(ew_amplitude, offset), .preset = "0",
     .help = "constant added to the sine"},
    {.name = "start", .kind = EW_KEY_NUMBER, AT(ew_amplitude, start), .unit = "time", .preset = "0",
     .help = "0 before this time"},
    {.name = "end", .kind = EW_KEY_NUMBER, AT(ew_amplitude, end), .unit = "time",
     .help = "0 after this time; never unless given"},
};
SECTION(ew_section_sine, "sine", sine);

static const ew_case_key step_amplitude[] = {
    {.name = "at", .kind = EW_KEY_NUMBER, .is_required = true, AT(ew_amplitude, start),
     .unit = "time", .help = "0 before this time"},
    {.name = "until", .kind = EW_KEY_NUMBER, AT(ew_amplitude, end), .unit = "time",
     .help = "0 after this time; never unless given"},
    {.name = "size", .kind = EW_KEY_NUMBER, AT(ew_amplitude, size), .preset = "1",
     .help = "the factor"},
};
SECTION(ew_section_step_amplitude, "step", step_amplitude);

static const ew_case_key csv[] = {
    {.name = "file", .kind = EW_KEY_TEXT, .is_required = true, AT(ew_case_amplitude, file),
     .help = "file of columns"},
    {.name = "column", .kind = EW_KEY_INTEGER, AT(ew_case_amplitude, column), WITHIN(1, 1000),
     .preset = "2", .help = "column of the factors, from 1"},
    {.name = "time_column", .kind = EW_KEY_INTEGER, AT(ew_case_amplitude, time_column), WITHIN(1,
     1000), .preset = "1", .help = "column of the times, from 1"},
    {.name = "scale", .kind = EW_KEY_NUMBER, AT(ew_case_amplitude, scale), .preset = "1",
     .help = "factor of the column"},
};
SECTION(ew_section_csv, "csv", csv);

/* ---- supports ---------------------------------------------------------------------------- */

static const ew_case_key axes[] = {
    {.name = "x", .kind = EW_KEY_VECTOR, .help = "first direction"},
    {.name = "y", .kind = EW_KEY_VECTOR, .help = "vector in the plane of the first two directions"},
    {.name = "cylinder", .kind = EW_KEY_MAPPING, .of = &ew_section_axes_cylinder,
     .help = "radial, tangential, axial"},
};
SECTION(ew_section_axes, "axes", axes);

static const ew_case_key axes_cylinder[] = {
    {.name = "point", .kind = EW_KEY_VECTOR, .is_required = true, .unit = "length",
     .help = "a point of the axis"},
    {.name = "axis", .kind = EW_KEY_AXIS, .is_required = true, .help = "direction of the axis"},
};
SECTION(ew_section_axes_cylinder, "cylinder", axes_cylinder);

#define AMPLITUDE                                                                                  \
    {.name = "amplitude", .kind = EW_KEY_TEXT,                                                     \
     .help = "name of a factor of time, of `amplitudes`"}
static const ew_case_key constraint[] = {
    {.name = "set", .kind = EW_KEY_SET, .help = "set on which it acts"},
    {.name = "axes", .kind = EW_KEY_MAPPING, .of = &ew_section_axes,
     .help = "directions of the components"},
    AMPLITUDE,
    {.name = "displacement", .kind = EW_KEY_COMPONENTS, .unit = "length",
     .help = "prescribed displacement"},
    {.name = "velocity", .kind = EW_KEY_COMPONENTS, .unit = "length/time",
     .help = "prescribed velocity in dynamic steps"},
    {.name = "symmetry", .kind = EW_KEY_AXIS | EW_KEY_MAPPING, .of = &ew_section_symmetry,
     .help = "plane of symmetry"},
    {.name = "spring", .kind = EW_KEY_NUMBER | EW_KEY_NUMBERS, FROM(0), .unit = "force/length",
     .help = "spring to the ground at each vertex"},
    {.name = "total_spring", .kind = EW_KEY_NUMBER | EW_KEY_NUMBERS, FROM(0),
     .unit = "force/length", .help = "stiffness of all springs together"},
    {.name = "foundation", .kind = EW_KEY_MAPPING, .of = &ew_section_foundation,
     .help = "elastic foundation on faces"},
};
SECTION(ew_section_constraint, "a constraint", constraint);

static const ew_case_key equation[] = {
    {.name = "terms", .kind = EW_KEY_LIST, .item = EW_KEY_MAPPING, .of = &ew_section_term,
     .is_required = true, .help = "what adds up to the value"},
    {.name = "value", .kind = EW_KEY_NUMBER, AT(ew_case_equation, value), .unit = "length",
     .preset = "0", .help = "sum of the terms"},
};
SECTION(ew_section_equation, "an equation", equation);

static const ew_case_key tie[] = {
    {.name = "slave", .kind = EW_KEY_SET, .is_required = true,
     .help = "faces that move with others; the finer side"},
    {.name = "master", .kind = EW_KEY_SET, .is_required = true, .help = "those others"},
    {.name = "distance", .kind = EW_KEY_NUMBER, AT(ew_case_tie, distance), ABOVE(0),
     .unit = "length", .rule = "a distance must be above 0",
     .help = "how far apart faces that are tied may be; the size of a slave face unless given"},
};
SECTION(ew_section_tie, "a tie", tie);

static const ew_case_key cyclic[] = {
    {.name = "slave", .kind = EW_KEY_SET, .is_required = true,
     .help = "faces where the sector ends"},
    {.name = "master", .kind = EW_KEY_SET, .is_required = true,
     .help = "faces where it begins, whose image they are"},
    {.name = "axis", .kind = EW_KEY_AXIS, .is_required = true, .help = "direction of the axis"},
    {.name = "point", .kind = EW_KEY_VECTOR, AT(ew_case_tie, point), .unit = "length",
     .help = "a point of the axis; the origin unless given"},
    {.name = "sectors", .kind = EW_KEY_INTEGER, AT(ew_case_tie, sectors), WITHIN(2, 100000),
     .is_required = true, .rule = "a whole body has from 2 to 100000 sectors",
     .help = "how many make the whole body"},
};
SECTION(ew_section_cyclic, "cyclic", cyclic);

static const ew_case_key periodic[] = {
    {.name = "sides", .kind = EW_KEY_LIST, .item = EW_KEY_MAPPING, .of = &ew_section_tie,
     .is_required = true, .help = "opposite sides of the cell, a slave and a master each"},
    {.name = "strain", .kind = EW_KEY_NUMBERS, .preset = "0",
     .help = "mean strain xx, yy, zz, xy, yz, xz of the cell, shear as engineering strain"},
};
SECTION(ew_section_periodic, "periodic", periodic);

static const ew_case_key bolt[] = {
    {.name = "point", .kind = EW_KEY_VECTOR, AT(ew_case_tie, point), .is_required = true,
     .unit = "length", .help = "a point in the bolt"},
    {.name = "normal", .kind = EW_KEY_AXIS, .is_required = true, .help = "along its axis"},
    {.name = "set", .kind = EW_KEY_SET,
     .help = "tets with all their vertices here are parted; all unless given"},
    {.name = "name", .kind = EW_KEY_TEXT,
     .help = "of the set of the faces behind the plane, the slave; those before it: `NAME, far side`"},
};
SECTION(ew_section_bolt, "a section", bolt);

static const ew_case_key preload[] = {
    {.name = "section", .kind = EW_KEY_MAPPING, .of = &ew_section_bolt,
     .help = "where a bolt that is whole is parted along its faces; in place of slave and master"},
    {.name = "slave", .kind = EW_KEY_SET,
     .help = "faces of one side of a bolt that is cut through"},
    {.name = "master", .kind = EW_KEY_SET, .help = "of the other side"},
    {.name = "distance", .kind = EW_KEY_NUMBER, AT(ew_case_tie, distance), ABOVE(0),
     .unit = "length", .rule = "a distance must be above 0",
     .help = "as of ties: between the sides"},
    {.name = "axis", .kind = EW_KEY_AXIS,
     .help = "along which the sides move; the mean normal of the slave unless given"},
    {.name = "force", .kind = EW_KEY_NUMBER, AT(ew_case_tie, force), ABOVE(0), .unit = "force",
     .rule = "a tension must be above 0", .help = "tension of the bolt; or shortening"},
    {.name = "shortening", .kind = EW_KEY_NUMBER, AT(ew_case_tie, shortening), .unit = "length",
     .help = "by how much the sides move over one another"},
    {.name = "locked", .kind = EW_KEY_TRUTH, AT(ew_case_tie, is_locked), .preset = "true",
     .help = "after the first step the shortening that the force came to stays; else the force"},
};
SECTION(ew_section_preload, "a preload", preload);

static const ew_case_key contact[] = {
    {.name = "slave", .kind = EW_KEY_SET,
     .help = "faces whose vertices carry the pressure; with master or rigid, else all parts"},
    {.name = "master", .kind = EW_KEY_SET, .help = "faces that they meet"},
    {.name = "among", .kind = EW_KEY_SET,
     .help = "in place of both: faces that meet one another, as the flanks of a cut"},
    {.name = "rigid", .kind = EW_KEY_MAPPING, .of = &ew_section_rigid,
     .help = "in place of a master the surface of a rigid body"},
    {.name = "distance", .kind = EW_KEY_NUMBER, AT(ew_case_contact, distance), ABOVE(0),
     .unit = "length", .rule = "a distance must be above 0",
     .help = "how far apart faces that meet may be; the size of a slave face unless given"},
    {.name = "interference", .kind = EW_KEY_NUMBER, AT(ew_case_contact, interference),
     .unit = "length",
     .help = "overlap of the parts, in place of what is between the meshes; < 0: a gap"},
    {.name = "friction", .kind = EW_KEY_NUMBER, AT(ew_case_contact, friction), .preset = "0",
     FROM(0), .rule = "a coefficient of friction must be at least 0",
     .help = "Coulomb's coefficient: tangential force over normal force where faces slide"},
};
SECTION(ew_section_contact, "a contact", contact);

static const ew_case_key rigid_plane[] = {
    {.name = "point", .kind = EW_KEY_VECTOR, .is_required = true, AT(ew_selector, a),
     .unit = "length", .help = "a point of the plane"},
    {.name = "normal", .kind = EW_KEY_AXIS, .is_required = true,
     .help = "out of the rigid body, to the slave"},
};
SECTION(ew_section_rigid_plane, "plane", rigid_plane);

#define MOTION(type, member)                                                                       \
    {.name = "displacement", .kind = EW_KEY_VECTOR, AT(type, member.displacement),                 \
     .unit = "length", .help = "from where it is defined, at the end of a static step"},           \
    {.name = "rotation", .kind = EW_KEY_VECTOR, AT(type, member.rotation), .unit = "rad",          \
     .help = "before it: vector along the axis, of length the angle in radians"},                  \
    {.name = "amplitude", .kind = EW_KEY_TEXT,                                                     \
     .help = "name of a factor of time of both in dynamic steps, of `amplitudes`"}
static const ew_case_key rigid[] = {
    {.name = "name", .kind = EW_KEY_TEXT, AT(ew_case_rigid, name),
     .help = "by which steps move it"},
    {.name = "plane", .kind = EW_KEY_MAPPING, .of = &ew_section_rigid_plane,
     .help = "a half-space behind a plane"},
    {.name = "sphere", .kind = EW_KEY_MAPPING, .of = &ew_section_sphere, .help = "a ball"},
    {.name = "cylinder", .kind = EW_KEY_MAPPING, .of = &ew_section_cylinder,
     .help = "a cylinder without ends"},
    {.name = "surface", .kind = EW_KEY_TEXT, AT(ew_case_rigid, file),
     .help = "file of triangles, STL, OBJ or OFF, that look out of the body"},
    {.name = "inside", .kind = EW_KEY_TRUTH, AT(ew_case_rigid, as.is_hollow), .preset = "false",
     .help = "the slave is inside the sphere, cylinder or surface: in a cup or a bore"},
    MOTION(ew_case_rigid, as.motion),
    {.name = "about", .kind = EW_KEY_VECTOR, AT(ew_case_rigid, as.motion.about), .unit = "length",
     .preset = "[0, 0, 0]", .help = "the point about which it turns"},
};
SECTION(ew_section_rigid, "rigid", rigid);

static const ew_case_key rigid_motion[] = {MOTION(ew_case_rigid_motion, motion)};
SECTION(ew_section_rigid_motion, "a motion", rigid_motion);

static const ew_case_key term[] = {
    {.name = "set", .kind = EW_KEY_SET,
     .help = "vertices: in the first term an equation for each, else a single one"},
    {.name = "node", .kind = EW_KEY_INTEGER | EW_KEY_NUMBERS,
     .help = "in place of a set: a vertex of the mesh file, from 0; [a, b]: the middle of a side"},
    {.name = "factor", .kind = EW_KEY_VECTOR, AT(ew_case_term, factor), .is_required = true,
     .help = "factors of the displacement along x, y and z"},
};
SECTION(ew_section_term, "a term", term);

static const ew_case_key coupling[] = {
    {.name = "set", .kind = EW_KEY_SET, .is_required = true,
     .help = "vertices or faces that it couples to the reference point"},
    {.name = "kind", .kind = EW_KEY_CHOICE, .words = EW_COUPLING_KINDS, .preset = "rigid",
     AT(ew_case_coupling, kind), .help = "rigid set, or a reference that moves as its mean"},
    {.name = "at", .kind = EW_KEY_VECTOR, .is_required = true, AT(ew_case_coupling, point),
     .unit = "length", .help = "the reference point"},
    {.name = "displacement", .kind = EW_KEY_COMPONENTS, .unit = "length",
     .help = "prescribed displacement of the reference"},
    {.name = "rotation", .kind = EW_KEY_COMPONENTS,
     .unit = "rad", .help = "prescribed rotation of the reference about x, y and z, in radians"},
};
SECTION(ew_section_coupling, "a coupling", coupling);

static const ew_case_key goal[] = {
    {.name = "of", .kind = EW_KEY_CHOICE, .is_required = true, .words = EW_CASE_GOALS,
     AT(ew_case_goal, quantity), .help = "what it is: a mean of a set, or a number of the body"},
    {.name = "set", .kind = EW_KEY_SET,
     .help = "where: of displacement, stress and von Mises the mean, of a reaction the sum"},
    {.name = "point", .kind = EW_KEY_VECTOR, AT(ew_case_goal, point), .unit = "length",
     .help = "in place of a set: the vertex nearest to it"},
    {.name = "direction", .kind = EW_KEY_AXIS,
     .help = "of a displacement or a reaction: the part along it; the magnitude unless given"},
    {.name = "component", .kind = EW_KEY_CHOICE, .words = EW_STRESS_COMPONENTS,
     .help = "of a stress"},
    {.name = "by", .kind = EW_KEY_LIST, .item = EW_KEY_TEXT,
     .help = "parameters of the sweep that it is differentiated by, with an adjoint"},
};
SECTION(ew_section_goal, "a goal", goal);

static const ew_case_key foundation[] = {
    {.name = "normal", .kind = EW_KEY_NUMBER, AT(ew_case_constraint, stiffness[0]), FROM(0),
     .unit = "force/length^3", .preset = "0", .rule = "a stiffness must be at least 0",
     .help = "stiffness along the normal of each face"},
    {.name = "tangential", .kind = EW_KEY_NUMBER, AT(ew_case_constraint, stiffness[1]), FROM(0),
     .unit = "force/length^3", .preset = "0", .rule = "a stiffness must be at least 0",
     .help = "stiffness across the normal"},
};
SECTION(ew_section_foundation, "foundation", foundation);

/* ---- loads ------------------------------------------------------------------------------- */

static const ew_case_key load[] = {
    {.name = "gravity",
     .kind = EW_KEY_VECTOR,
     .unit = "length/time^2",
     .help = "acceleration of all mass"},
    {.name = "total_force",
     .kind = EW_KEY_VECTOR,
     .unit = "force",
     .help = "force on the set as a whole"},
    {.name = "force",
     .kind = EW_KEY_VECTOR | EW_KEY_LIST,
     .item = EW_KEY_VECTOR,
     .unit = "force",
     .help = "force on each vertex of the set, or at places"},
    {.name = "pressure",
     .kind = EW_KEY_NUMBER | EW_KEY_MAPPING,
     .of = &ew_section_pressure,
     .unit = "force/length^2",
     .help = "pressure on faces, into the body"},
    {.name = "traction",
     .kind = EW_KEY_VECTOR,
     .unit = "force/length^2",
     .help = "force per area of faces"},
    {.name = "moment",
     .kind = EW_KEY_VECTOR,
     .unit = "force length",
     .help = "moment about the centroid of the faces"},
    {.name = "remote_force",
     .kind = EW_KEY_MAPPING,
     .of = &ew_section_remote_force,
     .help = "force at a point off the faces"},
    {.name = "bearing",
     .kind = EW_KEY_VECTOR | EW_KEY_MAPPING,
     .of = &ew_section_bearing,
     .unit = "force",
     .help = "force of a pin on its hole"},
    {.name = "centrifugal",
     .kind = EW_KEY_MAPPING,
     .of = &ew_section_centrifugal,
     .help = "of all mass, turning about an axis"},
    {.name = "temperature",
     .kind = EW_KEY_NUMBER | EW_KEY_NUMBERS | EW_KEY_MAPPING,
     .of = &ew_section_temperature,
     .unit = "temperature",
     .help = "change of temperature"},
    {.name = "set", .kind = EW_KEY_SET, .help = "set on which it acts"},
    {.name = "at",
     .kind = EW_KEY_VECTOR | EW_KEY_LIST,
     .item = EW_KEY_VECTOR,
     .unit = "length",
     .help = "places of nodes, in place of a set"},
    {.name = "nodes",
     .kind = EW_KEY_LIST,
     .item = EW_KEY_INTEGER | EW_KEY_NUMBERS,
     .help = "numbers of vertices in the mesh file, from 0, or [a, b]: the middle of a side"},
    {.name = "surface",
     .kind = EW_KEY_TEXT,
     .help = "name of a fine surface, of `surfaces`, in place of a set"},
    {.name = "axes",
     .kind = EW_KEY_MAPPING,
     .of = &ew_section_axes,
     .help = "directions of the components"},
    AMPLITUDE,
};
SECTION(ew_section_load, "a load", load);

#define SLOPE(slope)                                                                               \
    {.name = "gradient", .kind = EW_KEY_VECTOR, .unit = slope, .help = "growth by length"},        \
    {.name = "about", .kind = EW_KEY_VECTOR, .unit = "length", .preset = "[0, 0, 0]",              \
     .help = "point of the value"}
static const ew_case_key pressure[] = {
    {.name = "value",
     .kind = EW_KEY_NUMBER,
     .is_required = true,
     AT(ew_model_load, pressure),
     .unit = "force/length^2",
     .help = "pressure at the point `about`"},
    SLOPE("force/length^3"),
    {.name = "only_positive",
     .kind = EW_KEY_TRUTH,
     AT(ew_model_load, only_positive),
     .preset = "false",
     .help = "no pressure where it would be negative"},
    {.name = "follower",
     .kind = EW_KEY_TRUTH,
     AT(ew_model_load, follower),
     .preset = "false",
     .help = "turns with the faces as they move; with 'kinematics: corotational'"},
};
SECTION(ew_section_pressure, "pressure", pressure);

static const ew_case_key remote_force[] = {
    {.name = "force", .kind = EW_KEY_VECTOR, .is_required = true, AT(ew_model_load, vector),
     .unit = "force", .help = "the force"},
    {.name = "at", .kind = EW_KEY_VECTOR, .is_required = true, AT(ew_model_load, point),
     .unit = "length", .help = "point of the force"},
};
SECTION(ew_section_remote_force, "remote_force", remote_force);

static const ew_case_key bearing[] = {
    {.name = "force", .kind = EW_KEY_VECTOR, .is_required = true, AT(ew_model_load, vector),
     .unit = "force", .help = "the force"},
    {.name = "axis", .kind = EW_KEY_AXIS,
     .help = "axis of the hole; found from the faces unless given"},
};
SECTION(ew_section_bearing, "bearing", bearing);

static const ew_case_key centrifugal[] = {
    {.name = "axis", .kind = EW_KEY_MAPPING, .of = &ew_section_centrifugal_axis,
     .is_required = true, .help = "axis of rotation"},
    {.name = "speed", .kind = EW_KEY_NUMBER, .is_required = true, .unit = "rad/time",
     .help = "angular velocity, not 0"},
};
SECTION(ew_section_centrifugal, "centrifugal", centrifugal);

static const ew_case_key centrifugal_axis[] = {
    {.name = "point", .kind = EW_KEY_VECTOR, .is_required = true, AT(ew_model_load, point),
     .unit = "length", .help = "a point of the axis"},
    {.name = "direction", .kind = EW_KEY_AXIS, .is_required = true,
     .help = "direction of the axis"},
};
SECTION(ew_section_centrifugal_axis, "axis", centrifugal_axis);

static const ew_case_key temperature[] = {
    {.name = "change", .kind = EW_KEY_NUMBER, .unit = "temperature",
     .help = "change at the point `about`"},
    SLOPE("temperature/length"),
    {.name = "expression", .kind = EW_KEY_TEXT,
     .help = "change as an expression of x, y and z, in place of the other keys"},
};
SECTION(ew_section_temperature, "temperature", temperature);

/* ---- output ------------------------------------------------------------------------------- */

static const ew_case_key output[] = {
    {.name = "fields",
     .kind = EW_KEY_LIST,
     .item = EW_KEY_CHOICE,
     .word_at = ew_field_word,
     .help = "fields that are saved; all unless given"},
    {.name = "precision",
     .kind = EW_KEY_CHOICE,
     .words = "single double",
     .preset = "double",
     .help = "of saved fields"},
    {.name = "every",
     .kind = EW_KEY_INTEGER,
     AT(ew_case_output, every),
     WITHIN(1, INT32_MAX),
     .preset = "1",
     .help = "interval of saved steps; the last is always saved"},
    {.name = "vtu",
     .kind = EW_KEY_TRUTH,
     AT(ew_case_output, vtu),
     .preset = "false",
     .help = "also write frames as .vtu files"},
    {.name = "surfaces",
     .kind = EW_KEY_CHOICE | EW_KEY_LIST,
     .item = EW_KEY_CHOICE,
     .words = EW_SURFACE_FORMATS,
     .help = "files of the bound surfaces of each frame"},
    {.name = "paths", .kind = EW_KEY_NAMES, .item = EW_KEY_MAPPING, .of = &ew_section_path,
     .help = "lines along which displacement and stress are written, of every record of an analysis"},
    {.name = "probes", .kind = EW_KEY_NAMES, .item = EW_KEY_VECTOR, .unit = "length",
     .help = "points at which they are"},
    {.name = "sections", .kind = EW_KEY_NAMES, .item = EW_KEY_MAPPING, .of = &ew_section_cut,
     .help = "planes through which force and moment are written"},
    {.name = "mass_properties", .kind = EW_KEY_TRUTH, AT(ew_case_output, mass_properties),
     .preset = "false", .help = "write mass, center of mass and inertia of steps with an analysis"},
};
SECTION(ew_section_output, "output", output);

static const ew_case_key path[] = {
    {.name = "from", .kind = EW_KEY_VECTOR, .unit = "length", .help = "start of a straight line"},
    {.name = "to", .kind = EW_KEY_VECTOR, .unit = "length", .help = "its end"},
    {.name = "points", .kind = EW_KEY_LIST, .item = EW_KEY_VECTOR, .unit = "length",
     .help = "of a line with corners, or of a curve, in place of from and to"},
    {.name = "count", .kind = EW_KEY_INTEGER, AT(ew_case_path, count), WITHIN(2, 100000),
     .help = "points at equal distances; 21 unless given, 101 where stress is linearized"},
    {.name = "linearize", .kind = EW_KEY_TRUTH, AT(ew_case_path, linearize), .preset = "false",
     .help = "divide the stress through a wall into membrane, bending and peak"},
};
SECTION(ew_section_path, "a path", path);

static const ew_case_key cut[] = {
    {.name = "point", .kind = EW_KEY_VECTOR, .is_required = true, AT(ew_case_section_plane, point),
     .unit = "length", .help = "a point of the plane"},
    {.name = "normal", .kind = EW_KEY_AXIS, .is_required = true,
     .help = "direction across the plane; what is in front of it acts on what is behind"},
};
SECTION(ew_section_cut, "a section", cut);
