#include "library_allocations.h"

#include <malloc.h>
#include <stdlib.h>
#include "replacements.h"

static _Thread_local struct library_allocation *noted;
static _Thread_local size_t count, capacity;

static void note(void *block, size_t size) {
  if (!noted || !block) return;
  if (count < capacity) noted[count] = (struct library_allocation){block, size};
  count++;
}

static void forget(void *block) {
  if (!noted || !block) return;
  // If there was no room for some, the blocks are of no use.
  size_t known = count < capacity ? count : capacity;
  for (size_t i = known; i-- > 0;)
    if (noted[i].block == block) {
      noted[i] = noted[known - 1];
      if (count <= capacity) count--;
      return;
    }
}

// Blocks that the library has freed in the part in which the thread renders.
enum { RECYCLED_CAPACITY = 4 };
static _Thread_local void *recycled[RECYCLED_CAPACITY];
static _Thread_local size_t recycled_count;

static bool recycle(void *block) {
  if (!block || !is_rendering() || recycled_count == RECYCLED_CAPACITY) return false;
  recycled[recycled_count++] = block;
  return true;
}

static void *take_recycled(size_t size) {
  for (size_t i = 0; i < recycled_count; i++)
    if (malloc_usable_size(recycled[i]) >= size) {
      void *block = recycled[i];
      recycled[i] = recycled[--recycled_count];
      return block;
    }
  return NULL;
}

void free_recycled(void) {
  while (recycled_count > 0) free(recycled[--recycled_count]);
}

void *noting_malloc(size_t size) {
  void *block = take_recycled(size);
  if (!block) block = malloc(size);
  note(block, size);
  return block;
}

void *noting_realloc(void *block, size_t size) {
  forget(block);
  void *moved = realloc(block, size);
  note(moved, size);
  return moved;
}

void noting_free(void *block) {
  forget(block);
  if (!recycle(block)) free(block);
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
