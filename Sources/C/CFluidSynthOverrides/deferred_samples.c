#define _GNU_SOURCE
#include "deferred_samples.h"
#include <dlfcn.h>
#include <stddef.h>

static _Thread_local sample_receiver current_receiver;
static _Thread_local void *current_context;

void defer_samples(sample_receiver receiver, void *context) {
  current_receiver = receiver;
  current_context = context;
}

void optimize_sample(void *sample) {
  int (*optimize)(void *) = dlsym(RTLD_NEXT, "fluid_voice_optimize_sample");
  if (optimize) optimize(sample);
}

int fluid_voice_optimize_sample(void *sample) {
  if (current_receiver)
    current_receiver(current_context, sample);
  else
    optimize_sample(sample);
  return 0;
}
