#pragma once

/// Makes libfluidsynth run its OpenMP regions in the calling thread. Must be called before a synth renders.
///
/// libfluidsynth mixes its effects in an OpenMP region with as many threads as effect units: one. libgomp allocates and
/// frees memory for each region, which a render thread must not do. Realtime: no. Threads: any.
void run_effects_on_caller(void);
