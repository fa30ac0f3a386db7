#pragma once
#include <stdbool.h>

/// Sets whether synths that the calling thread creates have a reverb for their own sample rate instead of the highest
/// supported rate. At 48 kHz this saves 120 kB. Only for synths whose reverb never runs, because its sound differs.
///
/// The library's calls of its function `fluid_settings_getnum_range` are redirected, by which it determines the maximum
/// length of a reverb's delay lines. If that fails, no memory is saved. Realtime: no.
void spare_reverb_lines(bool yes);
