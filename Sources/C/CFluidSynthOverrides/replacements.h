#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The functions that libfluidsynth calls after `override_library`, with the signatures of those that they replace.

void run_region(void (*region)(void *), void *data, unsigned threads, unsigned flags);
int range_of_setting(void *settings, const char *name, double *least, double *most);
int receive_sample(void *sample);
// See `pitch_limit_find`.
int limited_key(const void *voice);
void update_limited(void *voice, int index);
bool is_rendering(void);
// Between `rendering_begin` and `rendering_end`, `noting_malloc` returns what `noting_free` got, if it is large enough.
void *noting_malloc(size_t size);
void *noting_realloc(void *block, size_t size);
void noting_free(void *block);
/// Frees what was not returned.
void free_recycled(void);
int64_t time_in_microseconds(void);
int64_t time_in_nanoseconds(void);

int lock_unless_rendering(pthread_mutex_t *mutex);
int unlock_unless_rendering(pthread_mutex_t *mutex);
/// Lets the two functions above pass over the lock of the library's atomic variables; see `rendering_begin`. Until then
/// they lock and unlock every mutex.
void pass_over_atomic_lock(void);
