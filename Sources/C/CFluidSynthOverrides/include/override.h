#pragma once

/// Makes libfluidsynth call functions of this module instead of some that it imports. Must be called before it makes a synth
/// or loads a SoundFont. They behave as what they replace, except that OpenMP regions run in the calling thread, and what
/// the other headers of this module say.
///
/// libfluidsynth mixes its effects in an OpenMP region with as many threads as effect units: one. libgomp allocates and
/// frees memory for each region, which a render thread must not do. Realtime: no. Threads: any.
void override_library(void);
