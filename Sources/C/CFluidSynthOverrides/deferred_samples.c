#include "deferred_samples.h"
#include <stddef.h>
#include "override.h"
#include "replacements.h"

// Exported by the library, but not in its headers: another version may lack it.
__attribute__((weak)) int fluid_voice_optimize_sample(void *sample);

static _Thread_local sample_receiver current_receiver;
static _Thread_local void *current_context;

int receive_sample(void *sample) {
  if (current_receiver)
    current_receiver(current_context, sample);
  else
    optimize_sample(sample);
  return 0;
}

void defer_samples(sample_receiver receiver, void *context) {
  override_library();
  current_receiver = receiver;
  current_context = context;
}

void optimize_sample(void *sample) {
  if (fluid_voice_optimize_sample) fluid_voice_optimize_sample(sample);
}
