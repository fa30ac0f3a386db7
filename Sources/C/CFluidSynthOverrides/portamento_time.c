#define _GNU_SOURCE
#include "portamento_time.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

typedef int (*mode_setter)(void *synth, int mode);
static _Atomic(mode_setter) set_mode;

// The values of the library's header.
enum { MODE_XG_GS = 1, MODE_LINEAR = 2 };

bool portamento_time_mode_find(void) {
  mode_setter found = (mode_setter)dlsym(RTLD_DEFAULT, "fluid_synth_set_portamento_time_mode");
  atomic_store(&set_mode, found);
  return found != NULL;
}

void portamento_time_mode_set(void *synth, bool linear) {
  mode_setter set = atomic_load_explicit(&set_mode, memory_order_relaxed);
  if (set) set(synth, linear ? MODE_LINEAR : MODE_XG_GS);
}
