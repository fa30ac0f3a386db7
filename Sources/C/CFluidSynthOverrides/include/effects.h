#pragma once

/// Runs an OpenMP region in the calling thread, in place of libgomp's function of this name.
///
/// libfluidsynth mixes its effects in an OpenMP region of as many threads as it has effect units: one.
/// libgomp allocates and frees for every such region; a render thread may not. An executable that
/// exports this function has it called instead, and only by libfluidsynth.
void GOMP_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags);
