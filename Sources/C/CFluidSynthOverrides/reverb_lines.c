#include "reverb_lines.h"
#include <string.h>
#include "override.h"
#include "replacements.h"

int fluid_settings_getnum(void *settings, const char *name, double *value);
int fluid_settings_getnum_range(void *settings, const char *name, double *least, double *most);

static _Thread_local bool are_spared;

int range_of_setting(void *settings, const char *name, double *least, double *most) {
  int result = fluid_settings_getnum_range(settings, name, least, most);
  double rate;
  if (are_spared && result == 0 && strcmp(name, "synth.sample-rate") == 0
      && fluid_settings_getnum(settings, name, &rate) == 0)
    *most = rate;
  return result;
}

void spare_reverb_lines(bool yes) {
  override_library();
  are_spared = yes;
}
