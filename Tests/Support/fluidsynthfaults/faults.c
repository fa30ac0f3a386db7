// Faults of FluidSynth, for LD_PRELOAD: a SoundFont whose name contains "crash" ends the program when it is loaded. In
// other SoundFonts, so does key 1; key 2 runs forever, and key 3 ends it as a lack of memory does. Files without a name
// cannot be created, as on some file systems.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

const char *fluid_sfont_get_name(void *font);

void fluid_sfont_iteration_start(void *font) {
  if (strstr(fluid_sfont_get_name(font), "crash")) *(volatile int *)8 = 0;
  void (*original)(void *) = (void (*)(void *))dlsym(RTLD_NEXT, "fluid_sfont_iteration_start");
  original(font);
}

int openat(int folder, const char *path, int flags, ...) {
  if ((flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;
    return -1;
  }
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  int (*original)(int, const char *, int, ...) = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat");
  return original(folder, path, flags, mode);
}

int fluid_synth_noteon(void *synth, int channel, int key, int velocity) {
  if (key == 1) *(volatile int *)8 = 0;
  if (key == 2)
    for (volatile int forever = 1; forever;) {
    }
  if (key == 3) kill(getpid(), SIGKILL);
  int (*original)(void *, int, int, int) = (int (*)(void *, int, int, int))dlsym(RTLD_NEXT, "fluid_synth_noteon");
  return original(synth, channel, key, velocity);
}
