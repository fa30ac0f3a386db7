#define _GNU_SOURCE
#include "futex.h"
#include "sanitizer.h"
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int futex_wait(const uint32_t *word, uint32_t expected, int64_t deadline) {
  struct timespec until = {deadline / 1000000000, deadline % 1000000000};
  // FUTEX_WAIT_BITSET takes an absolute time, unlike FUTEX_WAIT.
  realtime_pardon();
  long result = syscall(SYS_futex, word, FUTEX_WAIT_BITSET, expected,
                        deadline < 0 ? NULL : &until, NULL, FUTEX_BITSET_MATCH_ANY);
  int is_over = result < 0 && errno == ETIMEDOUT;
  realtime_end_pardon();
  return is_over;
}

void futex_wake(const uint32_t *word) {
  // This system call does not block.
  realtime_pardon();
  syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  realtime_end_pardon();
}

int64_t monotonic_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
