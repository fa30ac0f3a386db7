// GNU's functions that Swift's Glibc module leaves out.
#ifndef CPROCESS_H
#define CPROCESS_H

#include <stddef.h>

int sched_getaffinity(int process, size_t size, void *set);
int sched_setaffinity(int process, size_t size, const void *set);
int pipe2(int ends[2], int flags);
int malloc_trim(size_t pad);

#endif
