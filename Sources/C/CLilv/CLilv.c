#include "CLilv.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static struct lilv_library lilv;
static bool is_loaded;

static void load(void) {
  void *library = dlopen("liblilv-0.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name)                                                                                 \
  lilv.name = (__typeof__(lilv_##name) *)dlsym(library, "lilv_" #name);                            \
  if (!lilv.name) return;
  LILV_FUNCTIONS(FIND)
  is_loaded = true;
}

const struct lilv_library *clilv_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? &lilv : NULL;
}

static int write_list(LV2_Log_Handle handle, LV2_URID type, const char *format, va_list arguments) {
  const struct clilv_log *log = handle;
  char line[1024];
  int length = vsnprintf(line, sizeof line, format, arguments);
  log->handler(log->handle, type, line);
  return length;
}

static int write_line(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = write_list(handle, type, format, arguments);
  va_end(arguments);
  return length;
}

struct clilv_log clilv_log_make(clilv_log_handler handler, void *handle) {
  return (struct clilv_log){
      .log = {.printf = write_line, .vprintf = write_list}, .handle = handle, .handler = handler};
}
