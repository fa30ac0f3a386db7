#!/usr/bin/env bash
# Runs the realtime tests once more under RealtimeSanitizer. Needs the tests built in debug.
#
# Swift cannot link the sanitizer by a flag. Its runtime works as well when preloaded, so nothing
# needs to be built twice; only the archive must become a shared library first.
set -euo pipefail
cd "$(dirname "$0")/.."

clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
runtime=$("$clang" -print-resource-dir)/lib/linux/libclang_rt.rtsan-x86_64.a
[ -e "$runtime" ] || {
  echo "realtime.sh: the toolchain has no RealtimeSanitizer at $runtime" >&2
  exit 1
}
library=.build/rtsan.so
"$clang" -shared -o "$library" -Wl,--whole-archive "$runtime" -Wl,--no-whole-archive \
  -lpthread -ldl -lm -lstdc++

LD_PRELOAD=$PWD/$library .build/debug/PortativePackageTests.xctest \
  --testing-library swift-testing --filter '\.RealtimeTests/'
