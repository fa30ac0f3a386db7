#include "CSampleRate.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

static struct rate_library rate;
static bool is_loaded;

static void load(void) {
  void *library = dlopen("libsamplerate.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name)                                                                                 \
  rate.name = (__typeof__(name) *)dlsym(library, #name);                                           \
  if (!rate.name) return;
  FIND(src_simple)
  FIND(src_strerror)
  is_loaded = true;
}

const struct rate_library *csamplerate_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? &rate : NULL;
}
