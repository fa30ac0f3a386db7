#!/usr/bin/env bash
# Renders a library in parts with GNU parallel, and merges their reports:
#
#   gnu-parallel.sh PARTS OUT [OPTION of portative render…] FOLDER…
#
# A machine takes the next part when it is free: make about four parts for each machine. Other machines must
# see the same folders under the same names:
#
#   PARALLEL='--sshloginfile machines --workdir .' gnu-parallel.sh 64 /shared/audio /shared/midi
#
# After any failure, run it again: it renders only what is missing.
set -euo pipefail
parts=$1 out=$2
shift 2
mkdir -p "$out/parts"

# One part at a time on a machine uses every core, and has the SoundFont in memory once.
export PARALLEL="--jobs 1 ${PARALLEL:-}"

# A part that fails is tried again, on another machine if there is one. A song that cannot be read fails its
# part each time, and does not stop the others. The merged report has all results.
seq "$parts" | parallel --quote --retries 3 --joblog "$out/parts/log" --tag --line-buffer \
  portative render --shard "{}/$parts" --resume --report "$out/parts/{}-of-$parts.json" \
  -d "$out" "$@" || true

portative render --merge -o "$out/report.json" "$out"/parts/*-of-"$parts".json
