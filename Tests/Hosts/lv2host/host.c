// What the host offers.
#include "lv2host.h"
#include <lv2/buf-size/buf-size.h>
#include <lv2/log/log.h>
#include <lv2/options/options.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

void fail(const char *condition, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, " (not true: %s)\n", condition);
  _exit(1);
}

double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static uint32_t random_state = 1;

uint32_t chance(uint32_t limit) {
  random_state = random_state * 1664525 + 1013904223;
  return (uint32_t)((uint64_t)random_state * limit >> 32);
}

static const char *uris[256];
static LV2_URID uri_count;
static pthread_mutex_t uris_mutex = PTHREAD_MUTEX_INITIALIZER;

// The plugin's worker may call it, too.
LV2_URID map_uri(LV2_URID_Map_Handle handle, const char *uri) {
  pthread_mutex_lock(&uris_mutex);
  LV2_URID id = 0;
  while (id < uri_count && strcmp(uris[id], uri)) id++;
  if (id == uri_count) {
    expect(uri_count < 256, "the plugin maps too many URIs");
    uris[uri_count++] = strdup(uri);
  }
  pthread_mutex_unlock(&uris_mutex);
  return id + 1;
}

static int log_valist(LV2_Log_Handle handle, LV2_URID type, const char *format, va_list arguments) {
  return vfprintf(stderr, format, arguments);
}

static int log_line(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = log_valist(handle, type, format, arguments);
  va_end(arguments);
  return count;
}

static LV2_URID_Map map = {NULL, map_uri};
static LV2_Log_Log host_log = {NULL, log_line, log_valist};
static LV2_Options_Option options[2];
static const LV2_Feature map_feature = {LV2_URID__map, &map};
static const LV2_Feature log_feature = {LV2_LOG__log, &host_log};
static const LV2_Feature options_feature = {LV2_OPTIONS__options, options};
const LV2_Feature *const features[] = {&map_feature, &log_feature, &options_feature, NULL};
const LV2_Feature *const no_features[] = {NULL};

void promise(const int32_t *length) {
  options[0] = (LV2_Options_Option){LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_BUF_SIZE__maxBlockLength),
                                    sizeof *length, map_uri(NULL, LV2_ATOM__Int), length};
}

void *guarded(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), length = (size + page - 1) / page * page;
  uint8_t *memory = mmap(NULL, length + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  expect(memory != MAP_FAILED, "no memory");
  mprotect(memory + length, page, PROT_NONE);
  return memory + length - size;
}
