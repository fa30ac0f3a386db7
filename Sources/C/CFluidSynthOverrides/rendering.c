#include "rendering.h"
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include "library_imports.h"

int fluid_synth_process(void *synth, int frames, int sends, float **send, int outputs, float **output);

static _Thread_local bool needs_no_time;

// As GLib's function, in microseconds.
static int64_t monotonic_time(void) {
  if (needs_no_time) return 0;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

static void redirect(void) {
  library_import_redirect("g_get_monotonic_time", (void *)monotonic_time);
}

void prepare_mix(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, redirect);
}

void mix_voices(void *synth, int frames) {
  needs_no_time = true;
  fluid_synth_process(synth, frames, 0, NULL, 0, NULL);
  needs_no_time = false;
}
