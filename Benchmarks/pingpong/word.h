#pragma once

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/// A futex word in shared memory: one process posts a number, others wait for it.
///
/// Neither side spins, and every post wakes all waiters.
typedef _Atomic uint32_t Word;

static inline void post(Word *word, uint32_t number) {
  atomic_store_explicit(word, number, memory_order_release);
  syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/// Blocks while the word equals `old`.
///
/// - Returns: The first value that differs from `old`.
static inline uint32_t wait_while_equal(Word *word, uint32_t old) {
  uint32_t number;
  while ((number = atomic_load_explicit(word, memory_order_acquire)) == old)
    syscall(SYS_futex, word, FUTEX_WAIT, old, NULL, NULL, 0);
  return number;
}
