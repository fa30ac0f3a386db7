#pragma once
#include "promise.h"

/// Calls `fluid_synth_process` without outputs, so that the mix is in the synth's mix buffers alone. The library does not
/// read the clock for the processor load of the synth, which is then wrong: at each of several hundred calls in a cycle
/// that takes as long as adding what a voice has rendered.
///
/// `synth`: a `fluid_synth_t *`. `frames`: a multiple of 64.
void mix_voices(void *synth, int frames) RENDER_THREAD;
