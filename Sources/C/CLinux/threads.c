#define _GNU_SOURCE
#include "threads.h"
#include "sanitizer.h"
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

int thread_start(unsigned long *thread, const char *name, size_t stack_size, void *(*body)(void *),
                 void *context) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (stack_size > 0) pthread_attr_setstacksize(&attributes, stack_size);
  if (thread_priority() > 0) {
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
    pthread_attr_setschedparam(&attributes, &(struct sched_param){.sched_priority = 0});
  }
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int result = pthread_create(thread, &attributes, body, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (result == 0) pthread_setname_np(*thread, name);
  return result;
}

int thread_take_priority(int priority) {
  struct sched_param parameters = {.sched_priority = priority};
  return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters) == 0 ? 0 : errno;
}

int thread_number(void) { return gettid(); }

// pthread_getschedparam() would return a cached priority.
int thread_priority(void) { return thread_priority_of(0); }

int thread_priority_of(int thread) {
  struct sched_param parameters;
  if (sched_getparam(thread, &parameters) != 0) return 0;
  int policy = sched_getscheduler(thread) & ~SCHED_RESET_ON_FORK;
  return policy == SCHED_FIFO || policy == SCHED_RR ? parameters.sched_priority : 0;
}

void thread_drop_priority(void) {
  sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){.sched_priority = 0});
}

int thread_processor(void) {
  cpu_set_t allowed;
  realtime_pardon();
  int result = sched_getaffinity(0, sizeof allowed, &allowed);
  realtime_end_pardon();
  return result == 0 && CPU_COUNT(&allowed) == 1 ? sched_getcpu() : -1;
}

void thread_stay_here(void) { thread_stay_on(sched_getcpu()); }

static cpu_set_t all_processors;
__attribute__((constructor)) static void find_processors(void) {
  sched_getaffinity(0, sizeof all_processors, &all_processors);
}

void thread_stay_on(int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  if (processor >= 0 && processor < CPU_SETSIZE) CPU_SET(processor, &one);
  realtime_pardon();
  sched_setaffinity(0, sizeof one, processor < 0 ? &all_processors : &one);
  realtime_end_pardon();
}

int thread_run_beside(int thread) {
  cpu_set_t allowed;
  if (sched_getaffinity(thread, sizeof allowed, &allowed) != 0) return -1;
  if (CPU_COUNT(&allowed) == 1) {
    CPU_AND(&allowed, &allowed, &all_processors);
    CPU_XOR(&allowed, &allowed, &all_processors);
  }
  if (CPU_COUNT(&allowed) == 0) return -1;
  return sched_setaffinity(0, sizeof allowed, &allowed);
}
