#pragma once
#include "promise.h"

/// Begins a section in which the calling thread must not block. RealtimeSanitizer checks it if it is loaded.
void realtime_enter(void) RENDER_THREAD;

/// Ends the section that `realtime_enter` began.
void realtime_exit(void) RENDER_THREAD;

/// Suspends the checks for the calling thread. Each call has a comment with the reason.
void realtime_pardon(void) RENDER_THREAD;

/// Resumes the checks that `realtime_pardon` suspended.
void realtime_end_pardon(void) RENDER_THREAD;

/// Returns whether RealtimeSanitizer is loaded.
int realtime_is_checked(void);
