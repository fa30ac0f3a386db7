#include "libjack.h"

#include "process.h"

#include <dlfcn.h>

JackLibrary jack;

static void *find(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function) fail("libjack.so.0 has no function %s", name);
  return function;
}

void load_jack(void) {
  void *library = dlopen("libjack.so.0", RTLD_NOW);
  if (!library) fail("%s (Debian: jackd2)", dlerror());
#define FIND(result, name, parameters) jack.name = find(library, "jack_" #name);
  JACK_FUNCTIONS(FIND)
#undef FIND
}
