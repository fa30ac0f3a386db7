#pragma once
#include <stdbool.h>
#include <stddef.h>

/// A block of memory that libfluidsynth has allocated.
struct library_allocation {
  void *block;
  size_t size;
};

/// Calls `override_library`. Returns whether the calls of `malloc` and `free` are redirected, so that the following
/// functions have an effect. Realtime: no. Threads: any.
bool library_allocations_watch(void);

/// Begins to note the blocks that libfluidsynth allocates on the calling thread, until `library_allocations_end`.
///
/// `blocks`: memory for `capacity` blocks.
void library_allocations_begin(struct library_allocation *blocks, size_t capacity);

/// Ends to note blocks. Returns the number of those that are still allocated; more than `capacity` if there was no room
/// for some.
size_t library_allocations_end(void);
