// Faults of FluidSynth, for LD_PRELOAD: a SoundFont whose name contains "crash" ends the program when it is loaded. In
// other SoundFonts, so does key 1; key 2 runs forever, and key 3 ends it as a lack of memory does.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

const char *fluid_sfont_get_name(void *font);

void fluid_sfont_iteration_start(void *font) {
  if (strstr(fluid_sfont_get_name(font), "crash")) *(volatile int *)8 = 0;
  void (*original)(void *) = (void (*)(void *))dlsym(RTLD_NEXT, "fluid_sfont_iteration_start");
  original(font);
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
