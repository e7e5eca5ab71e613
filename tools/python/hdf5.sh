#!/bin/sh
# sh tools/python/hdf5.sh PREFIX: HDF5 for wheels, built from the source package of the system (Debian: apt, AlmaLinux:
# dnf) into PREFIX: for several threads, without the drivers that read from the net. Debian's own build has these, and
# with them libcurl and GnuTLS (LGPL). Exits with 77 where no source package can be reached.
set -eu
prefix=$1
mkdir -p "$prefix/source/lists/partial" "$prefix/source/cache/archives/partial" "$prefix/lib/pkgconfig"
prefix=$(cd "$prefix" && pwd)
cd "$prefix/source"

from_debian() { # the lists of source packages stay in this folder; those of the system do not change
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | sed -n 's/^deb /deb-src /p' >source.list
    mkdir -p parts
    for file in /etc/apt/sources.list.d/*.sources; do
        [ -f "$file" ] || continue
        sed 's/^Types:.*/Types: deb-src/' "$file" >"parts/${file##*/}"
    done
    set -- -qq -o Dir::Etc::sourcelist="$PWD/source.list" -o Dir::Etc::sourceparts="$PWD/parts" \
        -o Dir::State::lists="$PWD/lists" -o Dir::Cache="$PWD/cache"
    apt-get "$@" update || true # a list without source packages is no obstacle
    apt-get "$@" source --download-only hdf5
    tar -xf hdf5_*.orig.tar.*
}

from_almalinux() {
    dnf -q -y install dnf-plugins-core cpio zlib-devel
    dnf -q download --source --enablerepo=epel-source hdf5
    rpm2cpio hdf5-*.src.rpm | cpio -idm --quiet
    tar -xf hdf5-*.tar.*
}

if command -v apt-get >/dev/null; then from_debian; else from_almalinux; fi >log 2>&1 || {
    tail -n 5 log >&2
    echo "hdf5.sh: no source package of HDF5 can be reached" >&2
    exit 77
}
cd hdf5-*/
./configure --prefix="$prefix" --disable-static --disable-hl --disable-tests --disable-tools --without-szlib \
    --disable-ros3 --enable-threadsafe --enable-build-mode=production CFLAGS=-O2 >../log 2>&1 &&
    make -C src -j "$(getconf _NPROCESSORS_ONLN)" install >>../log 2>&1 || {
    tail -n 20 ../log >&2
    exit 1
}
cat >"$prefix/lib/pkgconfig/hdf5-serial.pc" <<PC
Name: HDF5
Description: HDF5, for several threads, without network
Version: $(sed -n 's/^#define H5_VERS_INFO.*version: \([0-9.]*\).*/\1/p' src/H5public.h)
Libs: -L$prefix/lib -lhdf5
Cflags: -I$prefix/include
PC
mkdir -p "$prefix/licenses"
cp COPYING "$prefix/licenses/hdf5"
license() { # license NAME FILE...: of lib NAME, the first that the system has
    name=$1
    shift
    for file; do
        [ ! -f "$file" ] || { cp "$file" "$prefix/licenses/$name" && return; }
    done
}
license metis /usr/share/doc/libmetis5/copyright /usr/share/licenses/metis/LICENSE*
license OpenCL /usr/share/doc/ocl-icd-libopencl1/copyright /usr/share/licenses/ocl-icd/COPYING
license yaml /usr/share/doc/libyaml-0-2/copyright /usr/share/licenses/libyaml/*
license expat /usr/share/doc/libexpat1/copyright /usr/share/licenses/expat/COPYING
license gomp /usr/share/doc/libgomp1/copyright /usr/share/licenses/libgcc/COPYING.RUNTIME
