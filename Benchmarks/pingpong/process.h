#pragma once

#include "options.h"

#include <stddef.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <time.h>

typedef enum { HOST_SIDE, NODE_SIDE } Side;

/// Sets the calling process's CPU affinity for this side of the round trip, as `options` request.
///
/// Threads and programs that it starts afterwards inherit the affinity.
void set_affinity(Side side, const Options *options);

/// Sets the calling thread's scheduling policy and priority, as `options` request.
void set_policy(const Options *options);

/// Forks a child that receives a signal when its parent ends.
///
/// - Parameter signal: The signal.
/// - Returns: The child's process ID in the parent, 0 in the child.
int fork_bound(int signal);

/// Returns zeroed, resident memory that is shared with children.
void *share_memory(size_t size);

/// Prints a message to standard error and ends the process with exit code 1.
noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Returns the time of CLOCK_MONOTONIC in nanoseconds.
static inline int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}
