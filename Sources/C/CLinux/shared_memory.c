#define _GNU_SOURCE
#include "shared_memory.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Without F_SEAL_WRITE, because both sides write.
static const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

int shared_memory_create(const char *name, size_t size) {
  int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -1;
  if (ftruncate(descriptor, (off_t)size) == 0 && fcntl(descriptor, F_ADD_SEALS, seals) == 0)
    return descriptor;
  close(descriptor);
  return -1;
}

long shared_memory_sealed_size(int descriptor) {
  struct stat status;
  int found = fcntl(descriptor, F_GET_SEALS);
  if (found < 0 || (found & seals) != seals || (found & F_SEAL_WRITE)) return -1;
  return fstat(descriptor, &status) == 0 ? (ssize_t)status.st_size : -1;
}
