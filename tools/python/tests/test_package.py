"""The package as such: declarations from headers, documentation, types, help."""
import inspect
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from common import SOURCE, needs

import edgewise as ew

BINDING = os.path.join(SOURCE, "tools", "python", "binding")

HEADER = """
#ifndef T_H
#define T_H
#include <stdint.h>
#define EW_BEGIN _Pragma("GCC visibility push(default)")
#define EW_END _Pragma("GCC visibility pop")
EW_BEGIN
#define EW_TEST_COUNT 3
#define EW_TEST_SMALL (1e-3)
#define EW_TEST_WORDS "one two"
#define EW_TEST_CALL(x) ((x) + 1)
typedef struct ew_test_opaque ew_test_opaque;
extern const ew_test_opaque ew_test_hidden;
typedef enum ew_test_kind { EW_TEST_A, EW_TEST_B = 1 << 2 } ew_test_kind;
typedef struct ew_test { int32_t n; struct { double x[EW_TEST_COUNT]; } inside; } ew_test;
__attribute__((format(printf, 1, 2))) int ew_test_print(const char *format, ...);
static inline int32_t ew_test_inline(const ew_test *one)
{
    return one->n ? one->n : EW_TEST_COUNT;
}
int32_t ew_test_declared_elsewhere(void);
EW_END
#endif
"""


class Package(unittest.TestCase):
    def test_declarations_come_from_headers(self):
        sys.path.insert(0, BINDING)
        try:
            import declarations
        finally:
            sys.path.remove(BINDING)
        cffi = needs("cffi")
        if not shutil.which("cc"):
            self.skipTest("there is no C compiler")
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(f"{folder}/edgewise")
            with open(f"{folder}/edgewise/test.h", "w") as file:
                file.write(HEADER)
            with open(f"{folder}/test.c", "w") as file:
                file.write("#include <edgewise/test.h>\nint ew_test_print(const char *f, ...) { return !f; }\n")
            subprocess.run(["cc", "-shared", "-fPIC", "-I", folder, f"{folder}/test.c", "-o",
                            f"{folder}/libtest.so"], check=True)
            headers = declarations.headers_below(folder)
            self.assertEqual(headers, ["edgewise/test.h"])
            text, _, functions = declarations.declarations("cc", folder, headers, f"{folder}/libtest.so")
            numbers = declarations.constants("cc", folder, headers)
        self.assertEqual(functions, ["ew_test_print", "ew_test_inline"])
        self.assertNotIn("ew_test_hidden", text)
        self.assertEqual(numbers, ["#define EW_TEST_COUNT ...", "static const double EW_TEST_SMALL;",
                                   "static char *const EW_TEST_WORDS;"])
        ffi = cffi.FFI()
        ffi.cdef("\n".join(numbers) + text)

    def test_the_whole_api_is_there(self):
        functions = [name for name in dir(ew.lib) if name.startswith("ew_")]
        self.assertGreater(len(functions), 600)
        self.assertEqual(ew.ffi.string(ew.lib.ew_version(ew.ffi.NULL)).decode(), ew.__version__)

    def test_the_version_is_the_repository_s(self):
        with open(os.path.join(SOURCE, "CMakeLists.txt")) as file:
            self.assertIn(f"project(Edgewise VERSION {ew.__version__} ", file.read())

    def test_what_is_public_is_documented(self):
        for name in ew.__all__:
            one = getattr(ew, name)
            if inspect.isclass(one) or inspect.isfunction(one):
                self.assertTrue(inspect.getdoc(one), name)
            if inspect.isclass(one):
                for member, value in inspect.getmembers(one):
                    if not member.startswith("_") and (inspect.isfunction(value)
                                                       or isinstance(value, property)):
                        self.assertTrue(inspect.getdoc(value), f"{name}.{member}")

    def test_public_functions_have_hints(self):
        for name in ew.__all__:
            one = getattr(ew, name)
            if not inspect.isclass(one) or issubclass(one, Exception):
                continue
            for member, value in inspect.getmembers(one, inspect.isfunction):
                if not member.startswith("_") and value.__module__.startswith("edgewise."):
                    for parameter in list(inspect.signature(value).parameters.values())[1:]:
                        if parameter.name not in ("points", "tets", "regions", "faces", "face_labels",
                                                  "labels", "triangles", "other", "grid", "path", "where"):
                            self.assertIsNot(parameter.annotation, inspect.Parameter.empty,
                                             f"{name}.{member}({parameter.name})")

    def test_messages_are_logged(self):
        from common import beam
        with self.assertLogs("edgewise", "INFO") as logs:
            beam().solve()
        self.assertTrue(any("iterations" in line for line in logs.output))

    def test_progress_is_shown(self):
        import io
        from edgewise.progress import Bar
        file = io.StringIO()
        bar = Bar(file, delay=0.0)
        bar("solve", 0.5)
        bar("solve", -1.0)
        bar.close()
        self.assertIn("solve [###############               ]  50 %", file.getvalue())
        self.assertTrue(file.getvalue().endswith("\r\x1b[2K"))


if __name__ == "__main__":
    unittest.main()
