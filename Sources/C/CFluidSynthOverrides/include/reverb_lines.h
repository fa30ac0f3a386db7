#pragma once
#include <stdbool.h>

/// Whether synths that the calling thread makes have a reverb for their own rate, and not for the
/// highest there is: at 48 kHz that is 120 kB less. For synths whose reverb never runs: its sound differs.
///
/// Realtime: no.
void spare_reverb_lines(bool yes);

/// A setting's range, in place of libfluidsynth's function of this name, which asks itself how long the
/// lines of a reverb may have to be.
///
/// Where this one is not called, nothing is spared.
int fluid_settings_getnum_range(void *settings, const char *name, double *least, double *most);
