#pragma once

/// Receives the samples (`fluid_sample_t *`) that libfluidsynth loads.
typedef void (*sample_receiver)(void *context, void *sample);

/// Hands the samples of a SoundFont that the calling thread loads to `receiver`, instead of scanning their
/// loops, which reads every sample of the file. `optimize_sample` must be called for each before it is played.
/// `NULL` ends this.
///
/// It works by a function of this name that takes the place of libfluidsynth's:
/// `fluid_voice_optimize_sample`. Where the library does not call it, the receiver gets nothing.
///
/// Realtime: no.
void defer_samples(sample_receiver receiver, void *context);

/// Scans a sample's loop, as libfluidsynth does when it loads the sample: its voices end when the loop is no
/// longer audible. The loop's data must be in memory. Realtime: no.
void optimize_sample(void *sample);
