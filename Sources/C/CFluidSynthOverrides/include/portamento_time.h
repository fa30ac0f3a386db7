#pragma once
#include <stdbool.h>
#include "promise.h"

/// Looks up `fluid_synth_set_portamento_time_mode`, which libfluidsynth has since version 2.5. Returns whether the
/// library has it. Realtime: no.
bool portamento_time_mode_find(void);

/// Calls that function if `portamento_time_mode_find` has found it.
///
/// `linear`: true for a portamento time of 14 bits in milliseconds; false for 7 bits on a curve.
void portamento_time_mode_set(void *synth, bool linear) RENDER_THREAD;
