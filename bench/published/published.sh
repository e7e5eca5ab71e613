#!/bin/sh
# Measures everything that README.md records and writes it there, on one thread, side by side.
#   bench/published/published.sh EDGEWISE [MESH ...]
# EDGEWISE is the built program, MESH any mesh files; without them the built-in shapes stand alone.
# Tables (.txt), numbers (.csv) and the picture (.svg) go to bench/published. REPEAT=n asks for n
# samples per number instead of 9. Some minutes; do nothing else on the machine meanwhile.
set -eu
if [ $# -lt 1 ]; then
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
edgewise=$1
here=$(dirname "$0")
out=$here
shift
mkdir -p "$out"

# What one repetition frees the next one takes again (glibc). Otherwise a good part of every time
# is the system's, handing out fresh pages, in both ways but not in equal shares.
export MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=100000000000

meshes=$(printf '%s,' "$@")
meshes=${meshes%,}

# scenario, sizes of the box, then more options
measure()
{
    scenario=$1 sizes=$2
    shift 2
    "$edgewise" bench "$scenario" --shape box --tets "$sizes" --threads 1 \
        --repeat "${REPEAT:-9}" --csv "$out/$scenario.csv" "$@" >"$out/$scenario.txt"
    cat "$out/$scenario.txt"
}

load()
{
    [ ! -r /proc/loadavg ] || echo "load at the $1: $(cut -d ' ' -f 1-3 /proc/loadavg)"
}

{
    date -u +%Y-%m-%d
    uname -srm
    grep -m 1 'model name' /proc/cpuinfo | sed 's/.*: //' || true
    echo "${REPEAT:-9} samples per number, one thread"
    load start
} >"$out/machine.txt"

measure formats 10000,30000,50000,100000,1000000 ${meshes:+--mesh "$meshes"}
measure study 10000,50000,100000 ${meshes:+--mesh "$meshes"}
measure drift 10000,100000 ${meshes:+--mesh "$meshes"}
measure local 10000,100000,1000000 ${meshes:+--mesh "$meshes"}
measure crossover 10000,100000,1000000 --plot "$out/crossover.svg"
load end >>"$out/machine.txt"
python3 "$here/published.py" "$out"
