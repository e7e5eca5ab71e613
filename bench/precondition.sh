#!/bin/sh
# Measures what a solve and the next answer after an edit cost, beside PETSc and CHOLMOD.
#   bench/precondition.sh EDGEWISE PEERS [STUDY]
# EDGEWISE and PEERS are the built programs edgewise and bench_peers, STUDY the folder of the study
# meshes (../shared/datasets/thesis; left out where it is absent). Numbers go to bench/measured
# (precondition*.csv, answer*.csv, peers-static.csv, gamg.csv, hard*.csv, studies.csv,
# precondition-machine.txt), and precondition_tables.py makes one page of them, PRECONDITION.md.
# QUICK=1 tries it all on small bodies and writes to the folder OUT instead. Half an hour on two
# quiet cores. PETSc's multigrid runs on as many processes as there are cores; the options that it
# is raced with are the best ones of the search before.
set -eu
if [ $# -lt 2 ]; then
    sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
edgewise=$1 peers=$2
here=$(dirname "$0")
study=${3:-$here/../../shared/datasets/thesis}
. "$here/measure_common.sh"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

join() { printf '%s\n' "$@" | paste -sd , -; }
race() # race NAME ARGUMENT...: all in turn
{
    name=$1
    shift
    step "$name"
    mpirun -n "$(nproc)" --bind-to none "$peers" --static --csv "$out/$name.csv" "$@" \
        >"$out/$name.txt"
}
flat() # flat NAME SIZE CELLS: a box in the folder of work
{
    "$edgewise" shape box --size "$2" --cells "$3" -o "$work/$1.mesh" >/dev/null
}
search() # search MESH...: PETSc's multigrid with options that its manual offers, once each
{
    for options in "-pc_gamg_threshold 0.01" "-pc_gamg_threshold 0.03" "-pc_gamg_square_graph 0" \
        "-pc_gamg_square_graph 2" "-pc_gamg_agg_nsmooths 0" "-mg_levels_ksp_max_it 1" \
        "-mg_levels_ksp_max_it 4" "-mg_levels_3_pc_type sor" "-mg_levels_3_pc_type pbjacobi" \
        "-pc_mg_type full" "-pc_gamg_coarse_eq_limit 1000" \
        "-pc_gamg_coarse_eq_limit 1000 -mg_levels_ksp_max_it 1" \
        "-pc_gamg_coarse_eq_limit 1000 -pc_gamg_square_graph 2" \
        "-pc_gamg_coarse_eq_limit 1000 -pc_gamg_threshold 0.005" \
        "-pc_gamg_coarse_eq_limit 1000 -pc_gamg_threshold 0.01"; do
        set -- --gamg "$options" "$@"
    done
    race gamg --repeat 1 --cholmod 1 "$@"
}

before=$(load)
meshes=
for name in bunny gargoyle hand dragon; do
    if [ -f "$study/$name.mesh" ]; then
        meshes="$meshes $study/$name.mesh"
    else
        echo "precondition.sh: no $study/$name.mesh; left out" >&2
    fi
done
step surfaces
python3 "$here/surfaces.py" "$work"
for name in ring spikes coil knot; do
    if [ "$quick" ] && [ $name != ring ]; then
        continue
    fi
    if "$edgewise" mesh "$work/$name.off" -o "$work/$name.mesh" >/dev/null; then
        meshes="$meshes $work/$name.mesh"
    fi
done

# shellcheck disable=SC2086 # lists of paths without spaces
if [ "$quick" ]; then
    bench precondition precondition --shape box,plate,torus,bracket --tets 1e4 --repeat 2
    bench answer answer --shape box --tets 1e4 --repeat 1
    bench hard hard --shape box --tets 2e3 --repeat 1
    search box:1e4
    race peers-static --repeat 1 --gamg "-pc_gamg_agg_nsmooths 0" box:1e4 "$work/ring.mesh"
    step studies
    python3 "$here/studies.py" "$edgewise" "$out/studies.csv" 18
else
    bench precondition precondition ${meshes:+--mesh "$(join $meshes)"} \
        --shape plate,torus,bracket --tets 1e5 --repeat 5
    bench precondition-boxes precondition --shape box --tets 1e4,3e4,1e5,3e5,1e6 --repeat 3
    bench static-rigid static ${meshes:+--mesh "$(join $meshes)"} --shape box --tets 1e5 --repeat 5
    flat plate60x60x1 100,100,1 60,60,1
    flat plate40x40x4 100,100,1 40,40,4
    bench hard hard --shape box --tets 2e4 --repeat 1
    if [ -f "$study/gargoyle.mesh" ]; then
        bench hard-gargoyle hard --mesh "$study/gargoyle.mesh" --repeat 1
    fi
    bench hard-flat precondition --mesh "$work/plate60x60x1.mesh,$work/plate40x40x4.mesh" \
        --repeat 3
    search box:1e5 $(printf '%s\n' $meshes | grep -E '(hand|coil)\.mesh$')
    race peers-static --repeat 5 --gamg "-pc_gamg_agg_nsmooths 0" \
        --gamg "-pc_gamg_coarse_eq_limit 1000 -pc_gamg_threshold 0.005" $meshes plate:1e5 \
        torus:1e5 bracket:1e5 box:1e4 box:3e4 box:1e5 box:1e6
    hand=
    if [ -f "$study/hand.mesh" ]; then
        hand=$study/hand.mesh
    fi
    bench answer answer ${hand:+--mesh "$hand"} --shape box --tets 1e4,1e5 --repeat 9
    bench answer-large answer --shape box --tets 1e6 --repeat 3
    if "$edgewise" devices | grep -q '^opencl'; then
        bench precondition-opencl precondition --shape box --tets 1e4,1e5 --device opencl --repeat 3
        bench answer-opencl answer ${hand:+--mesh "$hand"} --shape box --tets 1e4,1e5 \
            --device opencl --repeat 3
        bench answer-opencl-large answer --shape box --tets 1e6 --device opencl --repeat 1
    fi
    step studies
    python3 "$here/studies.py" "$edgewise" "$out/studies.csv"
fi
{
    sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c | sed 's/^ *//; s/ / x /'
    grep '^MemTotal' /proc/meminfo | tr -s ' '
    echo "load averages before: $before, after: $(load)"
} >"$out/precondition-machine.txt"
if [ ! "$quick" ]; then
    python3 "$here/precondition_tables.py" "$out"
fi
step "written to $out"
