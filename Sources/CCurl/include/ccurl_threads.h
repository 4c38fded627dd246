// What Swift cannot ask of threads.

#ifndef CCURL_THREADS_H
#define CCURL_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/// Runs the body on a thread of its own, named HTTPTransport; false if there can be none.
bool ccurl_thread_start(void (*body)(void *), void *context);

/// The calling thread's number.
int ccurl_thread_number(void);

/// How long a thread of this process has run, or has waited for a processor, in nanoseconds (proc(5), schedstat): the rest of
/// its time it has been asleep. 0 if the system does not tell.
int64_t ccurl_thread_busy_time(int number);

/// Whether the thread with this number runs or waits for a processor.
bool ccurl_thread_is_runnable(int number);

/// Where one thread sleeps until a time of the monotonic clock, in nanoseconds, or until it is woken. NULL without memory.
typedef struct ccurl_sleeper ccurl_sleeper;
ccurl_sleeper *ccurl_sleeper_new(void);
void ccurl_sleeper_free(ccurl_sleeper *sleeper);
void ccurl_sleeper_sleep(ccurl_sleeper *sleeper, uint64_t time);
void ccurl_sleeper_wake(ccurl_sleeper *sleeper);

#endif
