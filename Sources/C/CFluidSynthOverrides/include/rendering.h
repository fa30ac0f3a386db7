#pragma once
#include "promise.h"

/// Begins a part in which no other thread uses the synths that the calling thread uses, as while it renders. Parts may be
/// nested. In them, libfluidsynth
/// - takes no lock for its atomic variables. FluidSynth 2.6 can be built so that each operation on one locks a mutex that
///   all synths of the process share (`fluid_locked_atomics.h`; the package of Debian is). A render thread would wait for
///   threads of a lower priority. All atomic variables that it uses belong to one synth.
/// - gets the memory that it has just freed when it allocates. FluidSynth 2.6 frees and allocates a tuning at each reset. What it
///   does not get again is freed at the end.
/// - does not read the clock for the processor load of a synth, which is then wrong: at each of several hundred calls in a
///   cycle that takes as long as adding what a voice has rendered.
void rendering_begin(void) RENDER_THREAD;
void rendering_end(void) RENDER_THREAD;

/// Calls `fluid_synth_process` without outputs, in such a part, so that the mix is in the synth's mix buffers alone.
///
/// `synth`: a `fluid_synth_t *`. `frames`: a multiple of 64.
void mix_voices(void *synth, int frames) RENDER_THREAD;
