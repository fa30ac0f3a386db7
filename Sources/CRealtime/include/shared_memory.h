#pragma once
#include <stddef.h>

/// Makes `size` zeroed bytes of memory that another process can map, and that neither can resize.
/// Returns a descriptor, or -1 and errno.
int shared_memory_create(const char *name, size_t size);

/// Whether `descriptor` is memory of exactly `size` bytes that nobody can resize: only then can
/// it be mapped without fear of SIGBUS.
int shared_memory_is_sealed(int descriptor, size_t size);
