#include "CKissFFT.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

static struct transform_library transform;
static bool is_loaded;

static void load(void) {
  void *library = dlopen("libkissfft-float.so.131", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name)                                                                                 \
  transform.name = (__typeof__(name) *)dlsym(library, #name);                                      \
  if (!transform.name) return;
  FIND(kiss_fft_alloc)
  FIND(kiss_fft)
  is_loaded = true;
}

const struct transform_library *ckissfft_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? &transform : NULL;
}
