#include "library_allocations.h"

#include <pthread.h>
#include <stdlib.h>
#include "library_imports.h"

static _Thread_local struct library_allocation *noted;
static _Thread_local size_t count, capacity;

static void *noting_malloc(size_t size) {
  void *block = malloc(size);
  if (noted && block) {
    if (count < capacity) noted[count] = (struct library_allocation){block, size};
    count++;
  }
  return block;
}

static bool is_watched;
static void watch(void) { is_watched = library_import_redirect("malloc", (void *)noting_malloc); }

bool library_allocations_watch(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch);
  return is_watched;
}

void library_allocations_begin(struct library_allocation *blocks, size_t blocks_capacity) {
  noted = blocks;
  count = 0;
  capacity = blocks_capacity;
}

size_t library_allocations_end(void) {
  noted = NULL;
  return count;
}
