#!/bin/sh
# Random cuts, moves and remeshes of whole bodies, checked as the tests do and counted.
#   bench/validation/cuts.sh TESTS [CUTS [MOVES]]
# TESTS is the folder of the built tests (build/release/tests), CUTS and MOVES how many of all bodies together
# (1000, 10000). Numbers go to bench/measured (cuts.csv, moves.csv, cuts-machine.txt), and cuts_tables.py makes one page
# of them, CUTS.md. BODIES names some of the bodies alone. One thread. A test that fails ends it. Half an hour.
set -eu
if [ $# -lt 1 ]; then
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
tests=$1 n_cut=${2:-1000} n_move=${3:-10000}
here=$(dirname "$0")/..
edgewise=
. "$here/measure_common.sh"
export OMP_NUM_THREADS=1
for name in ${BODIES:-box plate bracket bunny gargoyle hand dragon again}; do
    step "cuts: $name"
    EW_TRIALS=$n_cut EW_TRIALS_CSV="$out/cuts.csv.new" "$tests/test_random_cuts" "$name" >&2
    if [ "$name" != again ]; then
        step "moves: $name"
        EW_TRIALS=$n_move EW_TRIALS_CSV="$out/moves.csv.new" "$tests/test_random_moves" "$name" >&2
    fi
done
for name in cuts moves; do
    if [ -f "$out/$name.csv.new" ]; then
        mv "$out/$name.csv.new" "$out/$name.csv"
    fi
done
{
    sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c | sed 's/^ *//; s/ / x /'
    grep '^MemTotal' /proc/meminfo | tr -s ' '
    echo "load averages at the end: $(load)"
} >"$out/cuts-machine.txt"
python3 "$here/validation/cuts_tables.py" "$out"
step "written to $out"
