#include "CPangoCairo.h"

#include <dlfcn.h>
#include <pthread.h>

static struct drawing_library drawing;
static bool is_loaded;

static void load(void) {
  // dlsym() also searches the dependencies of the library: Pango, cairo, Fontconfig and GLib.
  void *library = dlopen("libpangocairo-1.0.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name)                                                                                 \
  drawing.name = (__typeof__(name) *)dlsym(library, #name);                                        \
  if (!drawing.name) return;
  DRAWING_FUNCTIONS(FIND)
  is_loaded = true;
}

const struct drawing_library *cpangocairo_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? &drawing : NULL;
}
