#pragma once
#include <stddef.h>

/// Makes `size` zeroed bytes of memory that another process can map, and that neither can resize.
/// Returns a descriptor, or -1 and errno.
int shared_memory_create(const char *name, size_t size);

/// How many bytes of memory `descriptor` is, if nobody can resize it: only then can it be mapped without
/// fear of SIGBUS. -1 for anything else.
long shared_memory_sealed_size(int descriptor);
