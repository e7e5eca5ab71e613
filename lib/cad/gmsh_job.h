/* Private to edgewise-gmsh, the program beside the library: the job that its arguments give, the
shape that OpenCASCADE reads, the mesh that Gmsh makes of it. */
#ifndef EW_CAD_GMSH_JOB_H
#define EW_CAD_GMSH_JOB_H

#include "cad/exchange.h"

#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS_Compound.hxx>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ew_gmsh
{

/* End of a job: a code of ew_cad_code and a message for the user. */
struct failure : std::runtime_error {
    int code;
    explicit failure(const std::string &text, int code = EW_CAD_BAD)
        : std::runtime_error(text), code(code)
    {
    }
};

struct job {
    std::string file, unit = "MM";
    double size = 0, min_size = 0, curvature = 0, growth = 0.3, quality = 0.3, sew = 0;
    double max_memory = 0;
    bool delaunay = false;
    bool apart = false; /* solids that touch have a face each */
    int order = 1;
    std::vector<std::pair<std::string, double>> sizes; /* of faces: name or number, size */
};

/* The solids of a file, side by side: where two touch they share the face, or
 * have one each. Numbers are from 1. */
struct solids {
    TopoDS_Compound shape;
    TopTools_IndexedMapOfShape solid, face;
    std::vector<std::string> solid_name;              /* [solid - 1], or "" */
    std::vector<std::vector<std::string>> face_name;  /* [face - 1], none or more */
    std::vector<std::vector<std::string>> face_color; /* [face - 1], none or more */
    double diagonal = 0;
    int n_unsure = 0, unsure[2] = {0, 0}; /* pairs of which it is not known what they share */
    std::string unit;                     /* of the file, "" where it says none */
};
solids read_shape(const job &work);

/* Area (dimension 2) or volume (3), as OpenCASCADE has it, >= 0. */
double measure_shape(const TopoDS_Shape &shape, int dimension);

/* The message, in the format of exchange.h. */
struct result {
    ew_cad_header head = {};
    std::vector<double> xyz;
    std::vector<int32_t> tet, region, middle, face, label, listed;
    std::vector<ew_cad_group> group;
    std::vector<ew_cad_geometry> geometry;
    std::string text;
    /* A group by its name; its listed rows come next. */
    void add_group(int kind, bool is_label, int label, const std::string &name);
};

/* Geometry of its faces, then of its solids, whose labels are those at their places; its size and
 * its unit (gmsh_geometry.cpp). */
void describe(const solids &part, const std::vector<int> &face_label,
              const std::vector<int> &solid_label, result &out);

void mesh_shape(const job &work, const solids &part, result &out);

/* Makes the vertices of faces lie in the order in which Gmsh makes them, in so much memory at most;
 * 0: no limit (gmsh_memory.cpp). */
void reserve_addresses(double gibibytes);
void use_rising_addresses(bool use);
/* A crash for want of memory sends so much through the pipe. */
void explain_crashes(int pipe);

/* Opens Gmsh without its configuration and output, or a second time after a failure. */
void start_gmsh();
/* The nodes and tets that Gmsh has now: the tets of volumes[i] with region[i], the triangles of */
/* faces[i] with label[i]. */
struct labeled {
    int tag, label;
};
void collect(const std::vector<labeled> &volumes, const std::vector<labeled> &faces, result &out);
std::string last_error();

} /* namespace ew_gmsh */

#endif
