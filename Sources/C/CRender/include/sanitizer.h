#pragma once
#include "promise.h"

/// Tells RealtimeSanitizer, where it is loaded, that the calling thread must not block from here on.
void realtime_enter(void) RENDER_THREAD;

/// Ends what `realtime_enter` began.
void realtime_exit(void) RENDER_THREAD;

/// Lets the calling thread do one thing unchecked, for the reason given where it is called.
void realtime_pardon(void) RENDER_THREAD;

/// Ends what `realtime_pardon` began.
void realtime_end_pardon(void) RENDER_THREAD;

/// Whether RealtimeSanitizer is loaded.
int realtime_is_checked(void);
