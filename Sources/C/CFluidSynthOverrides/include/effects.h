#pragma once

/// Runs an OpenMP region in the calling thread. It replaces the function of this name in libgomp.
///
/// libfluidsynth mixes its effects in an OpenMP region with as many threads as effect units: one. libgomp allocates and
/// frees memory for each region, which a render thread must not do. If an executable exports this function, it is
/// called instead; only libfluidsynth calls it.
void GOMP_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags);
