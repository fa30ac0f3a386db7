#include "CRealtime.h"

// Weak: there only when the sanitizer's runtime is linked, as `make test` does for one test bundle.
void __rtsan_realtime_enter(void) __attribute__((weak));
void __rtsan_realtime_exit(void) __attribute__((weak));

void realtime_enter(void) {
  if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}

void realtime_exit(void) {
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}

int realtime_is_checked(void) { return __rtsan_realtime_enter != 0; }
