// Random delays at the locks of a process and of its children, to find what depends on the order of events. Preloaded by `Tests/Stress/delayed`.
//
// Before and after a lock is taken, the thread sleeps with the probability of DELAYS_ONE_IN, for up to DELAYS_MICROSECONDS.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static int (*lock)(pthread_mutex_t *);
static int (*unlock)(pthread_mutex_t *);
static atomic_uint one_in, microseconds;

__attribute__((constructor)) static void start(void) {
    const char *chance = getenv("DELAYS_ONE_IN"), *longest = getenv("DELAYS_MICROSECONDS");
    lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    unlock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    microseconds = longest ? (unsigned)atoi(longest) : 3000;
    one_in = chance ? (unsigned)atoi(chance) : 1000;
}

static uint64_t draw(void) {
    static _Thread_local uint64_t state;
    if (state == 0) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        state = ((uint64_t)now.tv_nsec << 20) ^ (uint64_t)(uintptr_t)&state ^ 0x9e3779b97f4a7c15u;
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void delay(void) {
    unsigned chance = one_in;
    if (chance == 0 || draw() % chance != 0) return;
    struct timespec pause = {0, (long)(draw() % (microseconds + 1)) * 1000};
    // Between a call that has failed and the look at its error.
    int error = errno;
    nanosleep(&pause, NULL);
    errno = error;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    // Other libraries may lock before this one has started.
    if (!lock) lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    delay();
    return lock(mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (!unlock) unlock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    int result = unlock(mutex);
    delay();
    return result;
}
