#pragma once
#include <stdbool.h>

/// Sets whether synths that the calling thread creates have a reverb for their own sample rate instead of the highest
/// supported rate. At 48 kHz this saves 120 kB. Only for synths whose reverb never runs, because its sound differs.
///
/// Realtime: no.
void spare_reverb_lines(bool yes);

/// Returns the range of a setting. It replaces the function of this name in libfluidsynth, with which the library
/// determines the maximum length of a reverb's delay lines.
///
/// If the library does not call this function, no memory is saved.
int fluid_settings_getnum_range(void *settings, const char *name, double *least, double *most);
