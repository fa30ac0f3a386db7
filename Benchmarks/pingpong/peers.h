#pragma once

#include "options.h"

#include <stdint.h>

/// For a cycle that was lost.
static const int64_t LATE = -1;

/// Measures round trips; ends the process if it cannot.
///
/// - Parameter durations: Room for `options->cycles`, in nanoseconds or ``LATE``.
void measure_futex(const Options *options, int64_t *durations);
void measure_jack(const Options *options, int64_t *durations);
