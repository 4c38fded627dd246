#if defined(__linux__)

#include "ccurl_threads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    void (*body)(void *);
    void *context;
} thread_start;

static void *run_thread(void *context) {
    thread_start start = *(thread_start *)context;
    free(context);
    prctl(PR_SET_NAME, "HTTPTransport");
    start.body(start.context);
    return NULL;
}

bool ccurl_thread_start(void (*body)(void *), void *context) {
    thread_start *start = malloc(sizeof *start);
    if (!start) return false;
    *start = (thread_start){body, context};
    pthread_t started;
    if (pthread_create(&started, NULL, run_thread, start) != 0) {
        free(start);
        return false;
    }
    pthread_detach(started);
    return true;
}

int ccurl_thread_number(void) { return (int)syscall(SYS_gettid); }

int64_t ccurl_thread_busy_time(int number) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", number);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    long long ran = 0, waited = 0;
    if (fscanf(file, "%lld %lld", &ran, &waited) != 2) ran = waited = 0;
    fclose(file);
    return ran + waited;
}

bool ccurl_thread_is_runnable(int number) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", number);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    // The state stands after the name, which is in parentheses.
    char state = 0;
    bool is_known = fscanf(file, "%*d (%*[^)]) %c", &state) == 1;
    fclose(file);
    return is_known && state == 'R';
}

struct ccurl_sleeper {
    pthread_mutex_t lock;
    pthread_cond_t news;
    bool is_woken;
};

ccurl_sleeper *ccurl_sleeper_new(void) {
    ccurl_sleeper *sleeper = calloc(1, sizeof *sleeper);
    if (!sleeper) return NULL;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&sleeper->lock, NULL);
    pthread_cond_init(&sleeper->news, &attributes);
    pthread_condattr_destroy(&attributes);
    return sleeper;
}

void ccurl_sleeper_free(ccurl_sleeper *sleeper) {
    if (!sleeper) return;
    pthread_cond_destroy(&sleeper->news);
    pthread_mutex_destroy(&sleeper->lock);
    free(sleeper);
}

void ccurl_sleeper_sleep(ccurl_sleeper *sleeper, uint64_t time) {
    if (!sleeper) return;
    uint64_t longest = (uint64_t)INT32_MAX * 1000000000;
    if (time > longest) time = longest;
    struct timespec until = {.tv_sec = (time_t)(time / 1000000000), .tv_nsec = (long)(time % 1000000000)};
    pthread_mutex_lock(&sleeper->lock);
    int result = 0;
    while (!sleeper->is_woken && result == 0) {
        result = pthread_cond_timedwait(&sleeper->news, &sleeper->lock, &until);
    }
    sleeper->is_woken = false;
    pthread_mutex_unlock(&sleeper->lock);
}

void ccurl_sleeper_wake(ccurl_sleeper *sleeper) {
    if (!sleeper) return;
    pthread_mutex_lock(&sleeper->lock);
    sleeper->is_woken = true;
    pthread_cond_signal(&sleeper->news);
    pthread_mutex_unlock(&sleeper->lock);
}

#endif
