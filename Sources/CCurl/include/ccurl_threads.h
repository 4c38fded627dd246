// Functions of threads that Swift lacks.

#ifndef CCURL_THREADS_H
#define CCURL_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/// Runs the body on a new thread named HTTPTransport; false if the system has no thread left.
bool ccurl_thread_start(void (*body)(void *), void *context);

/// The number of the calling thread.
int ccurl_thread_number(void);

/// The object to which the running thread belongs; NULL at first. It is not retained.
void *ccurl_thread_owner(void);
void ccurl_set_thread_owner(void *owner);

/// Nanoseconds for which a thread of this process has run, or has waited for a processor (proc(5), schedstat). The rest
/// of its time it was asleep. 0 if the system does not report it.
int64_t ccurl_thread_busy_time(int number);

/// Whether the thread with this number runs or waits for a processor.
bool ccurl_thread_is_runnable(int number);

/// A place where one thread sleeps until a time of the monotonic clock, in nanoseconds, or until it is woken. NULL
/// without memory.
typedef struct ccurl_parker ccurl_parker;
ccurl_parker *ccurl_parker_new(void);
void ccurl_parker_free(ccurl_parker *parker);
void ccurl_parker_park(ccurl_parker *parker, uint64_t time);
void ccurl_parker_unpark(ccurl_parker *parker);

#endif
