#pragma once
// Functions that replace functions of libfluidsynth and libgomp, and access to a function that only newer versions of
// libfluidsynth have. Only the engine links them.
#include "deferred_samples.h"
#include "effects.h"
#include "library_allocations.h"
#include "portamento_time.h"
#include "reverb_lines.h"
