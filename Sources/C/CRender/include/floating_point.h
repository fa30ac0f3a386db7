#pragma once
#include <stdint.h>
#include "promise.h"

// The floating-point mode of the calling thread: the rounding, and whether denormal numbers are flushed to zero. A host
// may set it in the thread that renders.

RENDER_THREAD static inline uint64_t floating_point_mode(void) {
#if defined(__x86_64__)
  // Without the flags of the exceptions that have occurred.
  return __builtin_ia32_stmxcsr() & ~0x3Fu;
#elif defined(__aarch64__)
  return __builtin_arm_rsr64("fpcr");
#else
  return 0;
#endif
}

RENDER_THREAD static inline void floating_point_set_mode(uint64_t mode) {
#if defined(__x86_64__)
  // The flags of exceptions remain.
  __builtin_ia32_ldmxcsr((unsigned)mode | (__builtin_ia32_stmxcsr() & 0x3Fu));
#elif defined(__aarch64__)
  __builtin_arm_wsr64("fpcr", mode);
#else
  (void)mode;
#endif
}

/// Returns the mode that rounds to the nearest number and flushes denormal numbers to zero, as plugins expect it.
RENDER_THREAD static inline uint64_t floating_point_flushing_mode(void) {
#if defined(__x86_64__)
  // All exceptions masked, flush to zero, denormals are zero.
  return 0x1F80 | 0x8040;
#elif defined(__aarch64__)
  return UINT64_C(1) << 24;
#else
  return 0;
#endif
}

/// Returns the mode in which programs start: denormal numbers are computed with.
RENDER_THREAD static inline uint64_t floating_point_standard_mode(void) {
#if defined(__x86_64__)
  return 0x1F80;
#else
  return 0;
#endif
}
