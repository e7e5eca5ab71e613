#!/bin/sh
# Measures edits through a model: single tets by stage, whole operations beside a rebuild, the
# operations that remesh, and element removal.
#   bench/model.sh EDGEWISE
# EDGEWISE is the built program. Numbers go to bench/measured (model*.csv, remesh.csv, remove.csv,
# model-machine.txt), and model_tables.py makes one page of them, MODEL.md. QUICK=1 tries it all on
# small bodies and writes to the folder OUT instead. Twelve minutes on two quiet cores.
set -eu
if [ $# -lt 1 ]; then
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
edgewise=$1
here=$(dirname "$0")
. "$here/measure_common.sh"

before=$(load)
if [ "$quick" ]; then
    bench model model --shape box --tets 1e4
    bench model-whole model-whole --shape box --tets 2e3 --repeat 1
    bench remesh remesh --shape box --tets 1e4 --repeat 1
    bench remove remove --shape box --cells 16,10,2 --threads 1
else
    bench model model --shape box --tets 1e4,1e5,1e6
    bench model-whole model-whole --shape box --tets 1e4,5e4 --repeat 7
    bench remesh remesh --shape box --tets 1e4,1e5,1e6 --repeat 3
    bench remove remove --shape box --cells 64,40,8 --threads 1
fi
{
    sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c | sed 's/^ *//; s/ / x /'
    grep '^cache size' /proc/cpuinfo | head -n 1 | tr -s '\t' ' '
    grep '^MemTotal' /proc/meminfo | tr -s ' '
    echo "load averages before: $before, after: $(load)"
} >"$out/model-machine.txt"
python3 "$here/model_tables.py" "$out" ${quick:+"$out/MODEL.md"}
step "written to $out"
