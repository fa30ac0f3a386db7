#pragma once
#include <stdbool.h>

/// Finds where voices of libfluidsynth keep their generators. Afterwards, in all synths of the process,
/// - a voice's own key (generator 46, with modulators) is at most 127;
/// - the pitch of a voice, with the most that its envelope and LFOs add, is at most 25,400 cents: the highest key, bent up by
///   the widest range of a pitch wheel.
///
/// libfluidsynth 2.1 to 2.6 goes back by one length of the loop at a time. With higher pitches, which it does not limit, a
/// cycle takes seconds to minutes. It uses the key as an index of tunings, without a check.
///
/// `voice`: a `fluid_voice_t *` that has not been started. Its generators are as before afterwards. Returns whether they were
/// found. Calls `override_library`. Realtime: no. Threads: one at a time; synths may render on others.
bool pitch_limit_find(void *voice);
