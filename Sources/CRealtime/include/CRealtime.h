#pragma once

/// Runs an OpenMP region in the calling thread, in place of libgomp's function of this name.
///
/// libfluidsynth mixes its effects in an OpenMP region of as many threads as it has effect units: one.
/// libgomp allocates and frees for every such region; a render thread may not. An executable that
/// exports this function has it called instead, and only by libfluidsynth.
void GOMP_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags);

/// Tells RealtimeSanitizer, where it is loaded, that the calling thread must not block from here on.
void realtime_enter(void) __attribute__((swift_attr("@_noLocks")));

/// Ends what `realtime_enter` began.
void realtime_exit(void) __attribute__((swift_attr("@_noLocks")));

/// Whether RealtimeSanitizer is loaded.
int realtime_is_checked(void);
