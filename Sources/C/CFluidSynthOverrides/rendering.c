#include "rendering.h"
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include "library_imports.h"

int fluid_synth_process(void *synth, int frames, int sends, float **send, int outputs, float **output);

static _Thread_local bool needs_no_time;

static int64_t nanoseconds(void) {
  if (needs_no_time) return 0;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// As GLib's function, in microseconds.
static int64_t microseconds(void) { return nanoseconds() / 1000; }

static void redirect(void) {
  library_import_redirect("g_get_monotonic_time", (void *)microseconds);
  // std::chrono::steady_clock::now() of libstdc++, which FluidSynth 2.6 can be built with instead of GLib.
  library_import_redirect("_ZNSt6chrono3_V212steady_clock3nowEv", (void *)nanoseconds);
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
