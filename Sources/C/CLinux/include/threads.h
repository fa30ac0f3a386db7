#pragma once
#include <stddef.h>
#include "promise.h"

/// Starts a thread with all signals blocked, so that the program's handlers run on other threads. It inherits the
/// caller's scheduling, except realtime priority.
///
/// `name`: at most 15 bytes; the name that `top -H` shows. `stack_size`: in bytes; 0 for the default.
/// Returns 0 or an error number.
int thread_start(unsigned long *thread, const char *name, size_t stack_size, void *(*body)(void *),
                 void *context);

/// Gives the calling thread a priority of SCHED_FIFO, 1...99. Threads that it starts do not inherit it.
/// Returns 0 or an error number: EPERM if the priority is not permitted.
int thread_take_priority(int priority);

/// Returns the identifier of the calling thread in the kernel.
int thread_number(void) RENDER_THREAD;

/// Returns the priority of the calling thread under SCHED_FIFO or SCHED_RR; 0 under the ordinary scheduler.
int thread_priority(void) RENDER_THREAD;

/// Returns the priority of another thread of this process, by its identifier in the kernel; 0 under the ordinary
/// scheduler, or if there is no such thread.
int thread_priority_of(int thread);

/// Puts the calling thread under the ordinary scheduler.
void thread_drop_priority(void);

/// Permits the calling thread the processors of another thread of this process. If that is only one, then all others
/// that the process may use, because a thread pinned beside it could never run at the same time.
/// Returns 0, or -1 if there is no other processor.
int thread_run_beside(int thread);

/// Returns the processor to which the calling thread is pinned; -1 if it may run on several.
int thread_processor(void) RENDER_THREAD;

/// Pins the calling thread to the processor on which it runs.
void thread_stay_here(void);

/// Pins the calling thread to a processor; negative: to all processors that the process may use.
/// Blocks briefly if the thread has to move.
void thread_stay_on(int processor) RENDER_THREAD;
