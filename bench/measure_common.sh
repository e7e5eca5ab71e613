# What the scripts that measure have in common, to be read by them (. measure_common.sh) with the
# built program in $edgewise and this folder in $here: where numbers go ($out; a new folder where
# QUICK is set and OUT is not), how long threads wait, and how a scenario is run.
quick=${QUICK:-}
out=${OUT:-$here/measured}
if [ "$quick" ] && [ -z "${OUT:-}" ]; then
    out=$(mktemp -d)
fi
mkdir -p "$out"
# Threads wait as those of the program do (tools/environment.c).
export OMP_WAIT_POLICY=passive GOMP_SPINCOUNT=2000 GLIBC_TUNABLES=glibc.malloc.hugetlb=1

load() { cut -d ' ' -f 1-3 /proc/loadavg; }
step() { echo "$(date +%H:%M:%S) load $(load): $*" >&2; }
bench() # bench NAME ARGUMENT...: the program's scenarios
{
    name=$1
    shift
    step "$name"
    "$edgewise" bench "$@" --csv "$out/$name.csv" >"$out/$name.txt"
}
