#pragma once
#include "promise.h"

/// Starts a thread that has all signals blocked, so that the program's handlers run elsewhere.
///
/// `name`: at most 15 bytes; what `top -H` shows.
/// Returns 0 or an error number.
int thread_start(unsigned long *thread, const char *name, void *(*body)(void *), void *context);

/// Gives the calling thread a priority of SCHED_FIFO, 1...99. Threads it starts do not inherit it.
/// Returns 0 or an error number: EPERM when the priority is not permitted.
int thread_take_priority(int priority);

/// The kernel's number of the calling thread.
int thread_number(void);

/// The calling thread's priority under SCHED_FIFO or SCHED_RR; 0 under the ordinary scheduler.
int thread_priority(void);

/// The one processor that the calling thread is kept on; -1 where it may run on several.
int thread_processor(void) RENDER_THREAD;

/// Keeps the calling thread on the processor where it is now.
void thread_stay_here(void);

/// Keeps the calling thread on one processor; negative: on any that the process may use.
/// Blocks for a moment where the thread has to move.
void thread_stay_on(int processor) RENDER_THREAD;
