#pragma once
#include <samplerate.h>

// The library is loaded when audio is converted to another rate, so that the program also runs on systems without it.

/// The functions that the program uses.
struct rate_library {
  __typeof__(src_simple) *_Nonnull src_simple;
  __typeof__(src_strerror) *_Nonnull src_strerror;
};

/// Loads the library if it is not loaded yet. It is never unloaded. Thread-safe.
///
/// Returns null if the library is not installed or lacks one of these functions.
const struct rate_library *_Nullable csamplerate_load(void);
