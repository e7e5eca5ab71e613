#!/bin/sh
# Measures what a step in time costs, what runs in real time, and products from tets.
#   bench/dynamics.sh EDGEWISE
# EDGEWISE is the built program. Numbers go to bench/measured (dynamics*.csv, realtime*.csv,
# operator*.csv, dynamics-machine.txt), and dynamics_tables.py makes one page of them, DYNAMICS.md.
# QUICK=1 tries it all on small bodies and writes to the folder OUT instead. A quarter of an hour
# on two quiet cores.
set -eu
if [ $# -lt 1 ]; then
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
edgewise=$1
here=$(dirname "$0")
. "$here/measure_common.sh"
opencl=
if "$edgewise" devices | grep -q '^opencl'; then
    opencl="--device opencl"
fi

before=$(load)
# shellcheck disable=SC2086 # an option and its value
if [ "$quick" ]; then
    bench dynamics-648 dynamics --shape torus --cells 27,2 --repeat 1
    bench dynamics-boxes dynamics --shape box --tets 5e3 --repeat 1
    bench realtime-torus realtime --shape torus --tets 1e3 --repeat 1
    bench operator-1 operator --shape box --tets 1e4 --repeat 1 --threads 1
    bench operator-all operator --shape box --tets 1e4 --repeat 1 $opencl
else
    # the tori nearest to the published 660, 1110, 2000, 3250 and 5400 tets
    for cells in 27,2 46,2 37,3 60,3 100,3; do
        bench "dynamics-$cells" dynamics --shape torus --cells $cells --repeat 9
    done
    bench dynamics-boxes dynamics --shape box --tets 5e3,1e4,3e4,1e5 --repeat 5
    bench realtime-torus realtime --shape torus --tets 1e3 --repeat 3
    bench realtime-box realtime --shape box --tets 1e3 --repeat 3
    bench operator-1 operator --shape box --tets 1e4,1e5,1e6 --repeat 9 --threads 1
    bench operator-all operator --shape box --tets 1e4,1e5,1e6 --repeat 9 $opencl
fi
{
    sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c | sed 's/^ *//; s/ / x /'
    grep '^MemTotal' /proc/meminfo | tr -s ' '
    echo "load averages before: $before, after: $(load)"
} >"$out/dynamics-machine.txt"
python3 "$here/dynamics_tables.py" "$out" ${quick:+"$out/DYNAMICS.md"}
step "written to $out"
