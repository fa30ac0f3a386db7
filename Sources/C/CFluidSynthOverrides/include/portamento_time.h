#pragma once
#include <stdbool.h>
#include "promise.h"

/// Whether libfluidsynth has `fluid_synth_set_portamento_time_mode`, which its versions before 2.5 lack. Looks it
/// up; realtime: no.
bool portamento_time_mode_find(void);

/// Calls that function, where `portamento_time_mode_find` has found it.
///
/// `linear`: whether a portamento time has 14 bits and is in milliseconds; if not, it has 7 on a curve.
void portamento_time_mode_set(void *synth, bool linear) RENDER_THREAD;
