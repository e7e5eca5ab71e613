#!/bin/sh
# Measures everything that BODIES.md records and writes it there.
#   bench/measure.sh EDGEWISE PEERS [MESH ...]
# EDGEWISE and PEERS are the built programs edgewise and bench_peers, MESH any mesh files; the
# built-in shapes are always measured. Numbers (.csv) and what was printed (.txt) go to
# bench/measured. REPEAT=n asks for n samples per number instead of 5. A quarter of an hour on a
# quiet machine; do nothing else on it meanwhile.
set -eu
if [ $# -lt 2 ]; then
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
edgewise=$1 peers=$2
here=$(dirname "$0")
out=$here/measured
shift 2
mkdir -p "$out"

# Threads sleep while they wait. Spinning is a little quicker on an idle machine and many times
# slower on one that somebody else uses.
export OMP_WAIT_POLICY=passive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

meshes=$(printf '%s,' "$@")
meshes=${meshes%,}
repeat=${REPEAT:-5}
device=host
if "$edgewise" devices | grep -q '^opencl'; then
    device=opencl
fi

run() # run NAME PROGRAM ARGUMENT...
{
    name=$1
    shift
    "$@" --csv "$out/$name.csv" >"$out/$name.txt"
}

load() { cut -d ' ' -f 1-3 /proc/loadavg; }

before=$(load)
run scenarios "$edgewise" bench build product cg ${meshes:+--mesh "$meshes"} --shape box,torus \
    --tets 1e4,1e5,1e6 --device $device --repeat "$repeat"
run static "$edgewise" bench static ${meshes:+--mesh "$meshes"} --shape box --tets 1e4,1e5,1e6 \
    --repeat 3
run static-opencl "$edgewise" bench static ${meshes:+--mesh "$meshes"} --shape box --tets 1e4,1e5 \
    --device $device --repeat 3
run peers "$peers" --repeat "$repeat" "$@" box:1e4 box:1e5 box:1e6
{
    sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c | sed 's/^ *//; s/ / x /'
    grep '^cache size' /proc/cpuinfo | head -n 1 | tr -s '\t' ' '
    grep '^MemTotal' /proc/meminfo | tr -s ' '
    "$edgewise" devices
    cc --version | head -n 1
    echo "load averages before: $before, after: $(load)"
} >"$out/machine.txt"
python3 "$here/tables.py" "$here"
