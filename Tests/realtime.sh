#!/usr/bin/env bash
# Runs the realtime tests a second time under RealtimeSanitizer. The tests must be built in debug.
#
# Swift has no flag to link the sanitizer. Preloading its runtime works as well, so the tests need no second
# build; only the runtime's archive must be converted to a shared library.
set -euo pipefail
cd "$(dirname "$0")/.."

clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
runtime=$("$clang" -print-resource-dir)/lib/linux/libclang_rt.rtsan-$(uname -m).a
[ -e "$runtime" ] || {
  echo "realtime.sh: the toolchain has no RealtimeSanitizer at $runtime" >&2
  exit 1
}
library=.build/rtsan.so
# A shared library has no early initialization, for which GNU ld refuses the archive. So it is initialized before other libraries,
# which may already call what the sanitizer replaces, as libsystemd of Debian unstable does.
"$clang" -shared -fuse-ld=lld -o "$library" -Wl,-z,initfirst -Wl,-init,__rtsan_init \
  -Wl,--whole-archive "$runtime" -Wl,--no-whole-archive \
  -lpthread -ldl -lm -lstdc++

TEST_PRELOAD=$PWD/$library Tests/run --filter '\.RealtimeTests/'
