#!/bin/sh
# Feeds the MIDI file reader with broken files for a while: Fuzz/run.sh [SECONDS]
# What is found is left in .build/fuzz, as crash-* or timeout-*; give one as an argument of
# .build/fuzz/FuzzMIDIFile to see it again. Mended ones belong into Fuzz/Corpus/MIDIFile.
set -eu
seconds=${1:-60}
cd "$(dirname "$0")/.."
out=.build/fuzz
mkdir -p "$out/found"

flags="-O -g -swift-version 6 -parse-as-library -sanitize=fuzzer,address -I $out -L $out"
flags="$flags -enable-upcoming-feature InternalImportsByDefault"
for module in MIDICore MIDIFile; do
  swiftc $flags -wmo -module-name $module -emit-module -emit-module-path "$out/$module.swiftmodule" \
    -emit-library -static -o "$out/lib$module.a" Sources/$module/*.swift
done
swiftc $flags -wmo -module-name FuzzMIDIFile -o "$out/FuzzMIDIFile" \
  Fuzz/FuzzMIDIFile.swift Tests/MIDIFileTests/DecodingLaws.swift -lMIDIFile -lMIDICore

# Swift's own backtraces would end the program before the input is saved.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=symbolize=0:detect_leaks=0
"$out/FuzzMIDIFile" -max_total_time="$seconds" -max_len=4096 -timeout=5 -rss_limit_mb=1024 \
  -artifact_prefix="$out/" -print_final_stats=1 "$out/found" Fuzz/Corpus/MIDIFile
