#pragma once
// Functions that libfluidsynth calls instead of its own or others that it imports, and access to a function that only
// newer versions of libfluidsynth have. Only the engine links them.
#include "deferred_samples.h"
#include "library_allocations.h"
#include "library_imports.h"
#include "override.h"
#include "pitch_limit.h"
#include "portamento_time.h"
#include "rendering.h"
#include "reverb_lines.h"
