#!/usr/bin/env bash
# Renders a library in parts with Slurm: submits an array job, and a job that merges the reports.
#
#   slurm.sh PARTS OUT [OPTION of portative render…] FOLDER…
#
# Prints both jobs' numbers. OUT and the folders must be where every node sees them. Run it again, after
# whatever went wrong, and only what is missing is rendered.
set -euo pipefail
parts=$1 out=$2
mkdir -p "$out/parts"

array=$(sbatch --parsable --array="1-$parts" --output="$out/parts/%a.log" \
  "$(dirname "$0")/slurm.sbatch" "$@")

# afterany, not afterok: songs that cannot be read fail their part, and the rest is still to be merged.
# A part that is missing fails the merging, which says so.
merging=$(sbatch --parsable --dependency="afterany:$array" --job-name=portative-merge \
  --output="$out/parts/merge.log" \
  --wrap "portative render --merge -o ${out@Q}/report.json ${out@Q}/parts/*-of-$parts.json")
echo "$array $merging"
