#pragma once
#include <stdint.h>
#include "promise.h"

/// Waits while `*word` is `expected`. It is the only wait that a render thread may perform.
///
/// The word may be in memory shared between processes. The function may return early (spurious wake-up); the caller
/// must check the word again.
///
/// `deadline`: nanoseconds of CLOCK_MONOTONIC; negative: none.
/// Returns 1 if the deadline has passed, otherwise 0.
int futex_wait(const uint32_t *word, uint32_t expected, int64_t deadline) RENDER_THREAD;

/// Wakes all threads that wait on `word`. Does not block.
void futex_wake(const uint32_t *word) RENDER_THREAD;

/// Returns the time of CLOCK_MONOTONIC in nanoseconds. It needs no system call.
int64_t monotonic_now(void) RENDER_THREAD;
