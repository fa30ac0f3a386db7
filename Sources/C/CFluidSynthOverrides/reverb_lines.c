#define _GNU_SOURCE
#include "reverb_lines.h"
#include <dlfcn.h>
#include <string.h>

static _Thread_local bool are_spared;

void spare_reverb_lines(bool yes) { are_spared = yes; }

int fluid_settings_getnum_range(void *settings, const char *name, double *least, double *most) {
  int (*range)(void *, const char *, double *, double *) =
      dlsym(RTLD_NEXT, "fluid_settings_getnum_range");
  int (*value)(void *, const char *, double *) = dlsym(RTLD_NEXT, "fluid_settings_getnum");
  if (!range || !value) return -1;
  int result = range(settings, name, least, most);
  double rate;
  if (are_spared && result == 0 && strcmp(name, "synth.sample-rate") == 0
      && value(settings, name, &rate) == 0)
    *most = rate;
  return result;
}
