#define _GNU_SOURCE
#include "sanitizer.h"
#include <dlfcn.h>
#include <stddef.h>

// Looked up at run time, because the sanitizer only exists if `make test` preloads it.
static void (*enter)(void);
static void (*leave)(void);
static void (*disable)(void);
static void (*enable)(void);

__attribute__((constructor)) static void find_sanitizer(void) {
  enter = (void (*)(void))dlsym(RTLD_DEFAULT, "__rtsan_realtime_enter");
  leave = (void (*)(void))dlsym(RTLD_DEFAULT, "__rtsan_realtime_exit");
  disable = (void (*)(void))dlsym(RTLD_DEFAULT, "__rtsan_disable");
  enable = (void (*)(void))dlsym(RTLD_DEFAULT, "__rtsan_enable");
}

void realtime_enter(void) {
  if (enter) enter();
}

void realtime_exit(void) {
  if (leave) leave();
}

void realtime_pardon(void) {
  if (disable) disable();
}

void realtime_end_pardon(void) {
  if (enable) enable();
}

int realtime_is_checked(void) { return enter != NULL; }
