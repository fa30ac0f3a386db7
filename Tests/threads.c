// Tells ThreadSanitizer what Swift's library does, for `make test-threads`, which preloads this file. The library is not built
// for ThreadSanitizer, so it would report races where there are none.
//
// - A thread that must wait for a Mutex does so in the library, and the kernel hands the mutex over. Source:
//   Synchronization/Mutex/LinuxImpl.swift of Swift 6.3.
// - The last owner of an array, or of an object, changes or frees it when the count of references says so, which is atomic.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*locking)(uint32_t, SELF void *);
typedef SWIFT void (*unlocking)(SELF void *);

static locking next_lock;
static unlocking next_unlock;
static void (*next_release)(void *);
static bool (*next_is_unique)(const void *);
static void (*acquire)(void *);
static void (*release)(void *);

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void find(void) {
  next_lock = (locking)next(LOCK);
  next_unlock = (unlocking)next(UNLOCK);
  next_release = (void (*)(void *))next("swift_release");
  next_is_unique = (bool (*)(const void *))next("swift_isUniquelyReferenced_nonNull_native");
  acquire = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_acquire");
  release = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_release");
}

SWIFT void lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void unlock(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF void *mutex) {
  if (!next_lock) find();
  next_lock(thread, mutex);
  if (acquire) acquire(mutex);
}

SWIFT void unlock(SELF void *mutex) {
  if (!next_unlock) find();
  if (release) release(mutex);
  next_unlock(mutex);
}

void swift_release(void *object) {
  if (!next_release) find();
  // Immortal objects have no owner, and small values are none.
  if (release && (uintptr_t)object > 4096 && (intptr_t)object > 0) {
    release(object);
    acquire(object);
  }
  next_release(object);
}

bool swift_isUniquelyReferenced_nonNull_native(const void *object) {
  if (!next_is_unique) find();
  bool is_unique = next_is_unique(object);
  if (acquire && is_unique) acquire((void *)object);
  return is_unique;
}
