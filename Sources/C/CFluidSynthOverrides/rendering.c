#include "rendering.h"
#include <stdbool.h>
#include <stddef.h>
#include <time.h>
#include "library_imports.h"
#include "replacements.h"

int fluid_synth_process(void *synth, int frames, int sends, float **send, int outputs, float **output);

static _Thread_local unsigned depth;
// The addresses of the library's static variables, or nothing.
static uintptr_t variables_begin, variables_end;

void rendering_begin(void) { depth++; }

void rendering_end(void) {
  if (--depth == 0) free_recycled();
}

bool is_rendering(void) { return depth > 0; }

void mix_voices(void *synth, int frames) {
  rendering_begin();
  fluid_synth_process(synth, frames, 0, NULL, 0, NULL);
  rendering_end();
}

int64_t time_in_nanoseconds(void) {
  if (depth > 0) return 0;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// As GLib's function, in microseconds.
int64_t time_in_microseconds(void) { return time_in_nanoseconds() / 1000; }

void pass_over_atomic_lock(void) { library_variables(&variables_begin, &variables_end); }

/// Whether a mutex is the static one by which the library makes its atomic variables atomic, and the calling thread does
/// not need it. The library's other mutexes are allocated.
static bool is_needless(const pthread_mutex_t *mutex) {
  return depth > 0 && (uintptr_t)mutex >= variables_begin && (uintptr_t)mutex < variables_end;
}

int lock_unless_rendering(pthread_mutex_t *mutex) {
  return is_needless(mutex) ? 0 : pthread_mutex_lock(mutex);
}

int unlock_unless_rendering(pthread_mutex_t *mutex) {
  return is_needless(mutex) ? 0 : pthread_mutex_unlock(mutex);
}
