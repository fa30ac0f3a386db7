#include "process.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

void set_affinity(Side side, const Options *options) {
  if (options->placement == ANY_CPU) return;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) fail("sched_getaffinity: %m");
  // From the last processor down, because the first handles most interrupts.
  int skipped = options->placement == TWO_CPUS && side == NODE_SIDE ? 1 : 0;
  int cpu = CPU_SETSIZE - 1;
  for (; cpu >= 0; --cpu)
    if (CPU_ISSET(cpu, &allowed) && skipped-- == 0) break;
  if (cpu < 0) fail("--cpu two needs two processors, but only one is available");
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) fail("sched_setaffinity: %m");
}

void set_policy(const Options *options) {
  if (!options->is_fifo) return;
  struct sched_param parameters = {.sched_priority = options->priority};
  if (sched_setscheduler(0, SCHED_FIFO, &parameters) != 0)
    fail("SCHED_FIFO at priority %d: %m; needs root or a sufficient limit of real-time priority (ulimit -r)",
         options->priority);
}

int fork_bound(int signal) {
  int parent = getpid();
  int child = fork();
  if (child < 0) fail("fork: %m");
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, signal);
  if (getppid() != parent) _exit(1);
  return 0;
}

void *share_memory(size_t size) {
  void *memory =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) fail("%zu bytes of shared memory: %m", size);
  return memory;
}

void fail(const char *format, ...) {
  int error = errno;
  va_list values;
  va_start(values, format);
  fputs("pingpong: ", stderr);
  errno = error;
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
  va_end(values);
  exit(1);
}
