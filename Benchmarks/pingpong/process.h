#pragma once

#include "options.h"

#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <time.h>

typedef enum { HOST_SIDE, NODE_SIDE } Side;

/// Puts the calling process where `options` want this side of the round trip.
///
/// Threads and programs that it starts afterwards inherit the place.
void place(Side side, const Options *options);

/// Gives the calling thread the policy and priority that `options` want.
void schedule(const Options *options);

/// Forks a child that does not outlive its parent.
///
/// - Parameter signal: Sent to the child when the parent ends.
int fork_bound(int signal);

/// Zeroed, resident memory that is shared with children.
void *share_memory(size_t size);

/// Says why on standard error, and ends the process with exit code 1.
noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Nanoseconds on CLOCK_MONOTONIC.
static inline int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}
