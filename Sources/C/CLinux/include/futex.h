#pragma once
#include <stdint.h>
#include "promise.h"

/// Waits while `*word` is `expected`: the one thing a render thread may wait for.
///
/// The word may lie in memory shared between processes. Returns early now and then without cause; the
/// caller looks at the word again.
///
/// `deadline`: nanoseconds of CLOCK_MONOTONIC; negative: none.
/// Returns 1 when the deadline has passed, else 0.
int futex_wait(const uint32_t *word, uint32_t expected, int64_t deadline) RENDER_THREAD;

/// Wakes all that wait for `word`. Does not block.
void futex_wake(const uint32_t *word) RENDER_THREAD;

/// Nanoseconds of CLOCK_MONOTONIC; Linux answers without a system call.
int64_t monotonic_now(void) RENDER_THREAD;
