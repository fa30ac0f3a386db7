#pragma once
#include <pthread.h>
#include "promise.h"

/// Starts a thread that has all signals blocked, so that the program's handlers run elsewhere.
///
/// `name`: at most 15 bytes; what `top -H` shows.
/// `priority`: of SCHED_FIFO, 1...99; 0: the ordinary scheduler.
/// Returns 0 or an error number: EPERM when the priority is not permitted.
int thread_start(pthread_t *thread, const char *name, int priority,
                 void *(*body)(void *), void *context);

/// The calling thread's priority under SCHED_FIFO or SCHED_RR; 0 under the ordinary scheduler.
int thread_priority(void);

/// Gives a thread another priority, as for `thread_start`. Returns 0 or an error number.
int thread_set_priority(pthread_t thread, int priority);

/// The one processor that the calling thread is kept on; -1 where it may run on several.
int thread_processor(void) RENDER_THREAD;

/// Keeps the calling thread on the processor where it is now.
void thread_stay_here(void);

/// Keeps the calling thread on one processor; negative: on any that the process may use.
/// Blocks for a moment where the thread has to move.
void thread_stay_on(int processor) RENDER_THREAD;
