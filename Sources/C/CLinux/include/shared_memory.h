#pragma once
#include <stddef.h>

/// Creates `size` zeroed bytes of memory that another process can map and that no process can resize.
/// Returns a descriptor, or -1 and errno.
int shared_memory_create(const char *name, size_t size);

/// Returns the size in bytes of the memory of `descriptor` if no process can resize it, so that mapping it cannot cause
/// SIGBUS; -1 for any other descriptor.
long shared_memory_sealed_size(int descriptor);
