#define _GNU_SOURCE
#include "CRealtime.h"
#include <dlfcn.h>
#include <stddef.h>

// Looked up rather than linked: the sanitizer is there only when `make test` preloads it.
static void (*enter)(void);
static void (*leave)(void);

__attribute__((constructor)) static void find_sanitizer(void) {
  enter = (void (*)(void))dlsym(RTLD_DEFAULT, "__rtsan_realtime_enter");
  leave = (void (*)(void))dlsym(RTLD_DEFAULT, "__rtsan_realtime_exit");
}

void realtime_enter(void) {
  if (enter) enter();
}

void realtime_exit(void) {
  if (leave) leave();
}

int realtime_is_checked(void) { return enter != NULL; }
