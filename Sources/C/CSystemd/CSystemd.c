#include "CSystemd.h"

#include <dlfcn.h>
#include <pthread.h>

static struct systemd_library systemd;
static bool is_loaded;

static void load(void) {
  void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name)                                                                                 \
  systemd.name = (__typeof__(systemd.name))dlsym(library, "sd_" #name);                            \
  if (!systemd.name) return;
  SYSTEMD_FUNCTIONS(FIND)
  is_loaded = true;
}

const struct systemd_library *systemd_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? &systemd : NULL;
}
