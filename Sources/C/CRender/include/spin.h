#pragma once
#include "promise.h"

/// Tells the processor that the calling thread repeats a check until another thread has written.
RENDER_THREAD static inline void spin_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}
