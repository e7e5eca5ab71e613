"""Functions that exist for several processors run under ThreadSanitizer: what chooses among them would
run before the sanitizer is ready, so that such builds have one of each.

check_clones.py PROGRAM SOURCE BUILD"""

import pathlib
import subprocess
import sys
import tempfile

PROGRAM = """
#include "base/clones.h"
#include <stdio.h>
EW_CLONES_AVX2 double sum(const double *x, int n);
EW_CLONES_AVX2 double sum(const double *x, int n)
{
    double all = 0.0;
    for (int i = 0; i < n; i++) {
        all += x[i];
    }
    return all;
}
int main(void)
{
    const double x[4] = {1, 2, 3, 4};
    printf("%g\\n", sum(x, 4));
    return 0;
}
"""


def main():
    build = pathlib.Path(sys.argv[3])
    text = (build / "CMakeCache.txt").read_text().splitlines()
    compiler = [line.split("=", 1)[1] for line in text if line.startswith("CMAKE_C_COMPILER:")][0]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "main.c").write_text(PROGRAM)
        command = [compiler, "-std=c11", "-O2", "-fsanitize=thread", f"-I{sys.argv[2]}/lib",
                   str(folder / "main.c"), "-o", str(folder / "main")]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            print(f"this compiler has no ThreadSanitizer: {done.stderr.strip().splitlines()[-1]}")
            sys.exit(77)
        done = subprocess.run([folder / "main"], capture_output=True, text=True)
        if done.returncode or done.stdout != "10\n":
            sys.exit(f"status {done.returncode}: {done.stdout}{done.stderr}")
        print("a function with clones runs under ThreadSanitizer")


main()
