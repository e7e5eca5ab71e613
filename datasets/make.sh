#!/bin/sh
# Makes the meshes of this folder again with the program given (default: edgewise on the PATH).
set -eu
program=${1:-edgewise}
cd "$(dirname "$0")"
"$program" shape bracket --cells 3 -o bracket.mesh
"$program" shape box --size 1,0.1,0.1 --cells 60,6,6 -o beam.mesh
"$program" shape box --size 1,0.1,0.1 --cells 30,3,3 -o bar.mesh
"$program" shape plate --length 1 --radius 0.1 --thickness 0.05 --cells 24,24,1 -o plate.mesh
"$program" shape plate --length 1 --radius 0.2 --thickness 0.1 --cells 16,8,1 -o plate-coarse.mesh
"$program" shape box --size 100,50,2.5 --cells 20,10,1 -o plate-eighth.mesh
for share in 32:3.5 22:2 15.6:1.5 10.6:1.1; do # edges within this distance of the hole's axis are bisected beyond this length
    "$program" refine plate-eighth.mesh --cylinder "0,0,-1,0,0,4,${share%:*}" --longer-than "${share#*:}" -o plate-eighth.mesh
done
"$program" shape box --size 80,50,10 --cells 32,20,4 -o cantilever-block.mesh
"$program" shape box --size 150,50,5 --cells 60,20,2 -o mbb-block.mesh
python3 nafems.py .
python3 deck.py "$program"
"$program" shape sphere --inner 0.5 --radius 1 --cells 8,8 -o sphere.mesh
for pair in 660:27,2 1110:46,2 2000:37,3 3250:60,3 5400:56,4; do
    "$program" shape torus --length 1 --radius 0.25 --cells "${pair#*:}" -o "torus-${pair%%:*}.mesh"
done
