#pragma once

/// Receives a sample (`fluid_sample_t *`) that libfluidsynth has loaded.
typedef void (*sample_receiver)(void *context, void *sample);

/// Sets a receiver for the samples of SoundFonts that the calling thread loads. libfluidsynth then does not scan the
/// loops of the samples, which would read every sample of the file. The caller must call `optimize_sample` for each
/// sample before it is played. `NULL` restores the default.
///
/// The library's calls of its function `fluid_voice_optimize_sample` are redirected. If that fails, the receiver is not
/// called.
///
/// Realtime: no.
void defer_samples(sample_receiver receiver, void *context);

/// Scans the loop of a sample, as libfluidsynth does when it loads the sample. Voices of the sample then end when the
/// loop is no longer audible. The data of the loop must be in memory. Realtime: no.
void optimize_sample(void *sample);
