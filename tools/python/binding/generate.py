"""Writes the C source of a module that calls the library: see declarations.py."""
import argparse

import cffi
from declarations import constants, declarations, headers_below

# helpers.h
HELPERS = """
ew_status edgewise_detach(void **slot, size_t bytes, void **old);
typedef struct edgewise_watch { void *user; double interval, last; } edgewise_watch;
ew_progress edgewise_progress_of(edgewise_watch *watch);
void edgewise_gather(const char *from, const int32_t *row, int32_t n, size_t width, char *to);
extern "Python" bool edgewise_python_progress(void *user, const char *stage, double done);
extern "Python" ew_status edgewise_python_step(void *user, const ew_nonlinear_info *info);
extern "Python" ew_status edgewise_python_round(void *user, const ew_removal_round *round);
"""
STUDY_CALLBACKS = """
extern "Python" ew_status edgewise_read_groups(void *user, const ew_case *input,
                                               const ew_groups **groups);
extern "Python" ew_status edgewise_read_mesh(void *user, const char *file, ew_mesh *mesh);
extern "Python" ew_status edgewise_read_surface(void *user, const char *file, ew_polygons *polygons);
extern "Python" ew_status edgewise_read_text(void *user, const char *file, ew_text *text);
extern "Python" ew_status edgewise_read_frame(void *user, const char *file, int32_t number,
                                              const char *fields, ew_view_frame *frame);
extern "Python" void edgewise_on_step(void *user, const ew_step_report *report);
extern "Python" bool edgewise_study_progress(void *user, const char *stage, double done);
"""
STUDY = {"case", "results", "scene", "study"}  # EW_STUDY_MODULES of CMakeLists.txt


def module(name, arguments, headers, library, extra, include=None, known=()):
    text, every, functions = declarations(arguments.compiler, arguments.include, headers, library,
                                          known)
    numbers = [one for one in constants(arguments.compiler, arguments.include, headers)
               if one not in known]
    ffi = cffi.FFI()
    if include:
        ffi.include(include)
    ffi.cdef("\n".join(numbers) + "\n" + text + extra)
    preamble = "".join(f"#include <{one}>\n" for one in headers)
    if not include:
        preamble += '#include "helpers.h"\n'
    ffi.set_source(name, preamble)
    return ffi, set(every) | set(numbers), functions


def main():
    parser = argparse.ArgumentParser()
    for option in ("module", "compiler", "include", "library", "output"):
        parser.add_argument("--" + option, required=True)
    parser.add_argument("--core", help="the library of the core, where this is another")
    parser.add_argument("--study", action="store_true", help="case files and results, not the core")
    arguments = parser.parse_args()
    core = headers_below(arguments.include, skip=STUDY)
    if not arguments.study:
        ffi, _, functions = module(arguments.module, arguments, core, arguments.library, HELPERS)
    else:
        every = headers_below(arguments.include)
        # What the core declares is the other module's.
        base, known, _ = module("edgewise._ew", arguments, core, arguments.core, "")
        ffi, _, functions = module(arguments.module, arguments, every, arguments.library,
                                   STUDY_CALLBACKS, base, known)
    ffi.emit_c_code(arguments.output)
    print(f"{arguments.module}: {len(functions)} functions")


main()
