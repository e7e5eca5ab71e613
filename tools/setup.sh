#!/bin/sh
# sh tools/setup.sh demo    install packages, build Release, run the shipped bracket
# sh tools/setup.sh test    install packages, build Release, run the tests (but for those labeled long)
# For Debian and Ubuntu, as root or with sudo. Running it again only does what is missing.
# Of the environment, EW_CMAKE_FLAGS is passed to cmake, and packages of EW_MORE_PACKAGES are installed, too.
set -eu

what=${1-}
case $what in
demo | test) ;;
*)
    echo "usage: sh tools/setup.sh demo|test" >&2
    exit 2
    ;;
esac
cd "$(dirname "$0")/.."

packages="build-essential cmake ninja-build pkg-config clang ocl-icd-opencl-dev opencl-headers
pocl-opencl-icd libtet1.5-dev libmetis-dev libsuitesparse-dev libarpack2-dev
libhdf5-dev libyaml-dev libexpat1-dev libnlopt-dev libcunit1-dev libcivetweb-dev libcjson-dev
libgmsh-dev libocct-data-exchange-dev"
if [ "$what" = test ]; then
    packages="$packages python3 python3-dev python3-venv python3-numpy python3-h5py calculix-ccx doxygen"
    packages="$packages valgrind oclgrind chromium ccache"
fi
packages="$packages ${EW_MORE_PACKAGES-}"

missing=
for package in $packages; do
    status=$(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null || true)
    case $status in
    ?i*) ;;
    *) missing="$missing $package" ;;
    esac
done
if [ -n "$missing" ]; then
    echo "Installing:$missing"
    sudo=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "tools/setup.sh: not root and no sudo; ask for these packages:$missing" >&2
            exit 1
        }
        sudo=sudo
    fi
    $sudo apt-get -q update
    # $missing is a list of words.
    # shellcheck disable=SC2086
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $missing
fi

# Python packages that tests ask for when they run: installed while the compiler works, which takes as long.
install_for_tests() {
    # VTK's XDMF readers: Debian's python3-vtk9 is built without them, the wheel on PyPI has them.
    # Without a network the tests that need them are skipped, and say so.
    "$python" -c "import vtkmodules.vtkIOXdmf2" 2>/dev/null ||
        "$python" -m pip install -q --no-deps "vtk>=9.3" ||
        echo "tools/setup.sh: VTK could not be installed; tests that read XDMF will be skipped"
    # The numpy that Debian's h5py was built for stays.
    numpy=$("$python" -c "import numpy; print(numpy.__version__)")
    "$python" -c "import pyvista, meshio, scipy, skfem, matplotlib, jsonschema" 2>/dev/null ||
        "$python" -m pip install -q pyvista meshio scipy scikit-fem matplotlib jsonschema "numpy==$numpy" ||
        echo "tools/setup.sh: pyvista, meshio and scipy could not be installed; tests of them will be skipped"
    "$python" -c "import mypy, gmsh" 2>/dev/null || "$python" -m pip install -q mypy gmsh ||
        echo "tools/setup.sh: mypy and gmsh could not be installed; tests of the Python package's types and of" \
            "bodies from Gmsh's module will be skipped"
    # Playwright drives Debian's Chromium: it needs no browser of its own.
    "$python" -c "import playwright" 2>/dev/null || "$python" -m pip install -q playwright ||
        echo "tools/setup.sh: playwright could not be installed; tests of the page of edgewise view will be skipped"
}

python=
if [ "$what" = test ]; then
    python=$PWD/build/python/bin/python
    [ -x "$python" ] || /usr/bin/python3 -m venv --system-site-packages build/python
    "$python" -c "import cffi" 2>/dev/null || "$python" -m pip install -q cffi || # the build asks for this one
        echo "tools/setup.sh: cffi could not be installed; tests of the Python package will be skipped"
    install_for_tests &
    beside=$!
fi

# Builds that differ in a switch compile most files alike.
if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
fi

build=build/release
generator=
[ -f $build/CMakeCache.txt ] || generator="-G Ninja"
# shellcheck disable=SC2086
# What was left out before its packages were there stays out unless it is asked for.
cmake -S . -B $build $generator -DCMAKE_BUILD_TYPE=Release -DEW_WITH_GMSH=ON ${python:+-DEW_PYTHON="$python"} \
    ${EW_CMAKE_FLAGS-}
# The demo needs the program alone, with edgewise-gmsh, which is not built with -DEW_WITH_GMSH=OFF;
# tests take longer to build than both.
target=
if [ "$what" = demo ]; then
    target="--target edgewise"
    if grep -q '^EW_WITH_GMSH:BOOL=ON' $build/CMakeCache.txt; then
        target="$target edgewise_gmsh"
    fi
fi
# shellcheck disable=SC2086 # an option and its value
cmake --build $build $target

if [ "$what" = test ]; then
    wait "$beside"
    exec ctest --test-dir $build --output-on-failure -j "$(nproc)" -LE long
fi
mkdir -p build/demo
$build/edgewise run datasets/bracket.yaml -o build/demo/bracket
$build/edgewise report build/demo/bracket.vtkhdf
echo
echo "Results: $PWD/build/demo/bracket.xdmf (open it in ParaView) and bracket.vtkhdf beside it"
