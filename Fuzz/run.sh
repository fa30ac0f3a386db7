#!/bin/sh
# Fuzzes the readers of MIDI files, of SoundFonts, of control messages, and of what pages of the panel send:
# Fuzz/run.sh [SECONDS [TARGET]]
# TARGET is MIDIFile, SoundFont, Messages or Panel; the default is all.
# Inputs that fail are written to .build/fuzz as TARGET-crash-* or TARGET-timeout-*; to reproduce a failure, pass
# the file to .build/fuzz/FuzzTARGET. After the fix, add the file to Fuzz/Corpus/TARGET.
set -eu
seconds=${1:-60}
targets=${2:-MIDIFile SoundFont Messages Panel}
cd "$(dirname "$0")/.."
out=.build/fuzz
mkdir -p "$out"
# That of the toolchain, which need not be in PATH.
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang

flags="-O -g -swift-version 6 -parse-as-library -sanitize=fuzzer,address -I $out -L $out"
flags="$flags -enable-upcoming-feature InternalImportsByDefault -package-name portative"

# c_module NAME: a target of Sources/C
c_module() {
  mkdir -p "$out/$1"
  echo "module $1 { umbrella header \"$PWD/Sources/C/$1/include/$1.h\" export * }" >"$out/$1/module.modulemap"
  flags="$flags -I $out/$1 -Xcc -ISources/C/$1/include"
  for file in Sources/C/"$1"/*.c; do
    object="$out/$1-$(basename "$file" .c).o"
    "$clang" -O -I "Sources/C/$1/include" -I Sources/C/CRender/include -c -o "$object" "$file"
    objects="$objects $object"
  done
}

# system_module NAME: a target of Sources/C without sources
system_module() {
  flags="$flags -I Sources/C/$1"
}

# module NAME FILE …
module() {
  name=$1
  shift
  swiftc $flags -wmo -module-name "$name" -emit-module \
    -emit-module-path "$out/$name.swiftmodule" -emit-library -static -o "$out/lib$name.a" "$@"
}

# program TARGET MODULE … -- FILE …
program() {
  name=Fuzz$1
  shift
  libraries=
  while [ "$1" != -- ]; do
    libraries="$libraries -l$1"
    shift
  done
  shift
  # Without a path for the module, swiftc left that of Panel in the current folder.
  swiftc $flags -wmo -module-name "$name" -emit-executable -emit-module-path "$out/$name.swiftmodule" \
    -o "$out/$name" "Fuzz/$name.swift" "$@" $objects $libraries
}

build_MIDIFile() {
  core
  module MIDIFile Sources/Files/MIDIFile/*.swift
  program MIDIFile MIDIFile RenderCore swiftSynchronization -- \
    Tests/Files/MIDIFileTests/DecodingLaws.swift
}

build_Messages() {
  checks_all Messages Sources/Nodes/NodeProtocol/*/*.swift
  messages
  program Messages $message_libraries -- Fuzz/MessageChecks.swift
}

build_Panel() {
  panel_messages="Sources/Hosting/WebPanel/PanelMessages.swift Sources/Hosting/WebPanel/Recordings/RecordingMessages.swift Sources/Hosting/WebPanel/Sounds/SoundMessages.swift"
  checks_all Panel $panel_messages
  messages
  c_module CWebSockets
  program Panel $message_libraries -- Fuzz/MessageChecks.swift $panel_messages \
    Sources/Hosting/WebPanel/Recordings/RecordingName.swift \
    Sources/Hosting/WebPanel/PanelHost.swift $(find Sources/Hosting/WebPanel/WebServer -name '*.swift')
}

# checks_all TARGET FILE …: whether a target checks every message that is declared in the files
checks_all() {
  target=$1
  shift
  for message in $(sed -n 's/^.*struct \([A-Za-z]*\): \(Request\|Notification\) .*/\1/p' "$@"); do
    grep -q "($message\.self)" "Fuzz/Fuzz$target.swift" ||
      { echo "Fuzz/Fuzz$target.swift does not check $message" >&2; exit 1; }
  done
}

# Only the sources of messages, without shared memory.
messages() {
  platform
  module NodeProtocol $(find Sources/Nodes/NodeProtocol/Messages Sources/Nodes/NodeProtocol/Control \
    Sources/Nodes/NodeProtocol/Directory -name '*.swift')
  message_libraries="NodeProtocol LocalSystem RenderCore swiftSynchronization swiftDispatch dispatch BlocksRuntime"
}

# What is read of a SoundFont without FluidSynth, which is linked and not called.
build_SoundFont() {
  platform
  system_module CXXHash
  system_module CFluidSynth
  c_module CFluidSynthOverrides
  module ContentHash $(find Sources/Files/ContentHash -name '*.swift')
  module FluidSynthEngine -enable-testing $(find Sources/Units/FluidSynthEngine -name '*.swift')
  program SoundFont FluidSynthEngine ContentHash LocalSystem RenderCore fluidsynth xxhash FoundationEssentials \
    swiftSynchronization swiftDispatch dispatch BlocksRuntime --
}

platform() {
  core
  c_module CLinux
  c_module CSystemd
  module LocalSystem $(find Sources/Platform/LocalSystem -name '*.swift')
}

core() {
  objects=
  c_module CRender
  module RenderCore $(find Sources/Core/RenderCore -name '*.swift')
}

# Swift's backtraces would end the program before libFuzzer saves the input.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=symbolize=0:detect_leaks=0
for target in $targets; do
  mkdir -p "$out/found-$target"
  "build_$target"
  dictionary=
  [ ! -f "Fuzz/$target.dict" ] || dictionary="-dict=Fuzz/$target.dict"
  "$out/Fuzz$target" -max_total_time="$seconds" -max_len=4096 -timeout=5 -rss_limit_mb=1024 \
    $dictionary -artifact_prefix="$out/$target-" -print_final_stats=1 "$out/found-$target" \
    "Fuzz/Corpus/$target"
done
