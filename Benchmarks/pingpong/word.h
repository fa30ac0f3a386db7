#pragma once

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/// A number in shared memory that one process posts and others wait for.
///
/// Neither side spins, and every post wakes: the plainest use of a futex.
typedef _Atomic uint32_t Word;

static inline void post(Word *word, uint32_t number) {
  atomic_store_explicit(word, number, memory_order_release);
  syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/// - Returns: The first number found that is not `old`.
static inline uint32_t await_other_than(Word *word, uint32_t old) {
  uint32_t number;
  while ((number = atomic_load_explicit(word, memory_order_acquire)) == old)
    syscall(SYS_futex, word, FUTEX_WAIT, old, NULL, NULL, 0);
  return number;
}
