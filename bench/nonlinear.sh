#!/bin/sh
# Measures time steps and iterations of Newton's method of corotational bodies.
#   bench/nonlinear.sh EDGEWISE
# EDGEWISE is the built program. Numbers go to bench/measured (nonlinear.csv, nonlinear-machine.txt),
# and nonlinear_tables.py makes one page of them, NONLINEAR.md. QUICK=1 tries it all on a small body
# and writes to the folder OUT instead. DEVICE=opencl has the rows of a device, too. A minute on two
# quiet cores.
set -eu
if [ $# -lt 1 ]; then
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
edgewise=$1
here=$(dirname "$0")
. "$here/measure_common.sh"

before=$(load)
bench nonlinear corotational --shape box --tets "$([ "$quick" ] && echo 2e3 || echo 1e4,1e5)" --device "${DEVICE:-host}"
{
    sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c | sed 's/^ *//; s/ / x /'
    grep '^MemTotal' /proc/meminfo | tr -s ' '
    echo "load averages before: $before, after: $(load)"
} >"$out/nonlinear-machine.txt"
python3 "$here/nonlinear_tables.py" "$out" ${quick:+"$out/NONLINEAR.md"}
step "written to $out"
