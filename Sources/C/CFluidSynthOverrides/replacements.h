#pragma once
#include <stddef.h>
#include <stdint.h>

// The functions that libfluidsynth calls after `override_library`, with the signatures of those that they replace.

void run_region(void (*region)(void *), void *data, unsigned threads, unsigned flags);
int range_of_setting(void *settings, const char *name, double *least, double *most);
int receive_sample(void *sample);
void *noting_malloc(size_t size);
void *noting_realloc(void *block, size_t size);
void noting_free(void *block);
int64_t time_in_microseconds(void);
int64_t time_in_nanoseconds(void);
