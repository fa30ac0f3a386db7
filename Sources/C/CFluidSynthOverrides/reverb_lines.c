#include "reverb_lines.h"
#include <pthread.h>
#include <string.h>
#include "library_imports.h"

int fluid_settings_getnum(void *settings, const char *name, double *value);
int fluid_settings_getnum_range(void *settings, const char *name, double *least, double *most);

static _Thread_local bool are_spared;

static int range(void *settings, const char *name, double *least, double *most) {
  int result = fluid_settings_getnum_range(settings, name, least, most);
  double rate;
  if (are_spared && result == 0 && strcmp(name, "synth.sample-rate") == 0
      && fluid_settings_getnum(settings, name, &rate) == 0)
    *most = rate;
  return result;
}

static void redirect(void) { library_import_redirect("fluid_settings_getnum_range", (void *)range); }

void spare_reverb_lines(bool yes) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, redirect);
  are_spared = yes;
}
