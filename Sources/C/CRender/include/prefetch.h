#pragma once
#include "promise.h"

/// Prefetches `bytes` bytes from `place` into the processor's caches without waiting for them.
///
/// Any address is allowed, including addresses that are not mapped.
RENDER_THREAD static inline void prefetch(const void *place, long bytes) {
  for (long line = 0; line < bytes; line += 64) __builtin_prefetch((const char *)place + line);
}
