#pragma once
#include "promise.h"

/// Asks the processor to fetch `bytes` from `place` into its caches, and does not wait for them.
///
/// Any address will do, those of no memory too.
RENDER_THREAD static inline void prefetch(const void *place, long bytes) {
  for (long line = 0; line < bytes; line += 64) __builtin_prefetch((const char *)place + line);
}
