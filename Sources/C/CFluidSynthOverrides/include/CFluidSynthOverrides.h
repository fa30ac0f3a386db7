#pragma once
// Functions that replace those of libfluidsynth and libgomp, and one that only newer libraries have.
// Only the engine links them.
#include "deferred_samples.h"
#include "effects.h"
#include "portamento_time.h"
#include "reverb_lines.h"
