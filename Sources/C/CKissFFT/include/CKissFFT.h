#pragma once
#include <kissfft/kiss_fft.h>

// The library is loaded when a picture is drawn, like those for drawing, so that the program also runs on systems
// without it.

/// The functions that the program uses. `kiss_fft_free` is a macro for `free`.
struct transform_library {
  __typeof__(kiss_fft_alloc) *_Nonnull kiss_fft_alloc;
  __typeof__(kiss_fft) *_Nonnull kiss_fft;
};

/// Loads the library if it is not loaded yet. It is never unloaded. Thread-safe.
///
/// Returns null if the library is not installed or lacks one of these functions.
const struct transform_library *_Nullable ckissfft_load(void);
