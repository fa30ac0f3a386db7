#include "library_allocations.h"

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

void *noting_malloc(size_t size) {
  void *block = malloc(size);
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
  free(block);
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
