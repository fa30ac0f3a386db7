// Results, time, chance, memory and threads.
#include "claphost.h"
#include "report.h"
#include <pthread.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int report_descriptor = STDERR_FILENO;

static void report(const char *format, va_list arguments) {
  char text[1024];
  int length = vsnprintf(text, sizeof text, format, arguments);
  if (length > (int)sizeof text - 1) length = sizeof text - 1;
  if (length > 0 && write(report_descriptor, text, (size_t)length) < 0) abort();
}

static void report_line(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(format, arguments);
  va_end(arguments);
}

void fail(const char *condition, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(format, arguments);
  va_end(arguments);
  report_line(" (not true: %s)\n", condition);
  _exit(STATUS_FAILED);
}

void absent(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(format, arguments);
  va_end(arguments);
  report_line("\n");
  _exit(STATUS_ABSENT);
}

void remark(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(format, arguments);
  va_end(arguments);
  report_line("\n");
}

// MARK: Time, chance, memory

double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void sleep_for(double seconds) {
  struct timespec time = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
  nanosleep(&time, NULL);
}

static _Thread_local uint64_t random_state = 1;

uint32_t chance(uint32_t limit) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((random_state >> 32) * limit >> 32);
}

double chance_between(double low, double high) { return low + (high - low) * chance(1 << 24) / ((1 << 24) - 1); }

uint8_t *guarded_end(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), length = (size + page - 1) / page * page;
  uint8_t *memory = mmap(NULL, length + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  expect(memory != MAP_FAILED, "no memory");
  mprotect(memory + length, page, PROT_NONE);
  return memory + length;
}

// MARK: Threads

_Thread_local Role role = OTHER_THREAD;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static void (*job)(void *);
static void *job_context;
static bool job_done, thread_runs;

__attribute__((noreturn)) static void *serve_audio(void *unused) {
  (void)unused;
  role = AUDIO_THREAD;
  pthread_mutex_lock(&mutex);
  while (true) {
    while (!job) pthread_cond_wait(&changed, &mutex);
    void (*function)(void *) = job;
    job = NULL;
    pthread_mutex_unlock(&mutex);
    function(job_context);
    pthread_mutex_lock(&mutex);
    job_done = true;
    pthread_cond_broadcast(&changed);
  }
}

void on_audio_thread(void (*function)(void *), void *context) {
  if (role == AUDIO_THREAD) return function(context);
  pthread_mutex_lock(&mutex);
  if (!thread_runs) {
    pthread_t thread;
    expect(!pthread_create(&thread, NULL, serve_audio, NULL), "no thread");
    pthread_detach(thread);
    thread_runs = true;
  }
  job = function;
  job_context = context;
  job_done = false;
  pthread_cond_broadcast(&changed);
  while (!job_done) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
}

typedef struct {
  void (*function)(void *);
  void *context;
} Call;

static void *serve_once(void *call) {
  ((Call *)call)->function(((Call *)call)->context);
  return NULL;
}

void on_other_thread(void (*function)(void *), void *context) {
  pthread_t thread;
  Call call = {function, context};
  expect(!pthread_create(&thread, NULL, serve_once, &call), "no thread");
  pthread_join(thread, NULL);
}
