#!/usr/bin/env bash
# Renders a library in parts with GNU parallel, and merges their reports:
#
#   gnu-parallel.sh PARTS OUT [OPTION of portative render…] FOLDER…
#
# Each part goes to whoever is free: make about four for each machine. For more machines than this one,
# which must see the same folders under the same names:
#
#   PARALLEL='--sshloginfile machines --workdir .' gnu-parallel.sh 64 /shared/audio /shared/midi
#
# Run it again, after whatever went wrong, and only what is missing is rendered.
set -euo pipefail
parts=$1 out=$2
shift 2
mkdir -p "$out/parts"

# One part at a time on a machine: it keeps every core busy, and the SoundFont is in memory once.
export PARALLEL="--jobs 1 ${PARALLEL:-}"

# A part that fails is tried again, on another machine if there is one. Songs that cannot be read fail
# theirs as well, every time, and do not stop the others. The merged report has all results.
seq "$parts" | parallel --quote --retries 3 --joblog "$out/parts/log" --tag --line-buffer \
  portative render --shard "{}/$parts" --resume --report "$out/parts/{}-of-$parts.json" \
  -d "$out" "$@" || true

portative render --merge -o "$out/report.json" "$out"/parts/*-of-"$parts".json
