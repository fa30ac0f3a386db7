#!/usr/bin/env bash
# Renders a library in parts with Slurm: submits an array job, and a job that merges the reports.
#
#   slurm.sh PARTS OUT [OPTION of portative render…] FOLDER…
#
# Prints the numbers of both jobs. Every node must see OUT and the folders under the same names. After any failure,
# run it again: it renders only what is missing.
set -euo pipefail
parts=$1 out=$2
mkdir -p "$out/parts"

array=$(sbatch --parsable --array="1-$parts" --output="$out/parts/%a.log" \
  "$(dirname "$0")/slurm.sbatch" "$@")

# afterany, not afterok: a song that cannot be read fails its part, and the others are merged all the same.
# If a part is missing, the job that merges fails, and names it.
merging=$(sbatch --parsable --dependency="afterany:$array" --job-name=portative-merge \
  --output="$out/parts/merge.log" \
  --wrap "portative render --merge -o ${out@Q}/report.json ${out@Q}/parts/*-of-$parts.json")
echo "$array $merging"
