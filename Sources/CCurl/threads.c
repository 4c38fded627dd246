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

static _Thread_local void *thread_owner;

void *ccurl_thread_owner(void) { return thread_owner; }

void ccurl_set_thread_owner(void *owner) { thread_owner = owner; }

/// Opens a file of proc(5) about a thread of this process; NULL if that fails.
static FILE *open_thread_file(int number, const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/%s", number, name);
    return fopen(path, "re");
}

int64_t ccurl_thread_busy_time(int number) {
    FILE *file = open_thread_file(number, "schedstat");
    if (!file) return 0;
    long long ran = 0, waited = 0;
    if (fscanf(file, "%lld %lld", &ran, &waited) != 2) ran = waited = 0;
    fclose(file);
    return ran + waited;
}

bool ccurl_thread_is_runnable(int number) {
    FILE *file = open_thread_file(number, "stat");
    if (!file) return false;
    // The state stands after the name, which is in parentheses.
    char state = 0;
    bool is_known = fscanf(file, "%*d (%*[^)]) %c", &state) == 1;
    fclose(file);
    return is_known && state == 'R';
}

struct ccurl_parker {
    pthread_mutex_t lock;
    pthread_cond_t unparked;
    bool is_woken;
};

ccurl_parker *ccurl_parker_new(void) {
    ccurl_parker *parker = calloc(1, sizeof *parker);
    if (!parker) return NULL;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&parker->lock, NULL);
    pthread_cond_init(&parker->unparked, &attributes);
    pthread_condattr_destroy(&attributes);
    return parker;
}

void ccurl_parker_free(ccurl_parker *parker) {
    if (!parker) return;
    pthread_cond_destroy(&parker->unparked);
    pthread_mutex_destroy(&parker->lock);
    free(parker);
}

void ccurl_parker_park(ccurl_parker *parker, uint64_t time) {
    if (!parker) return;
    uint64_t longest = (uint64_t)INT32_MAX * 1000000000;
    if (time > longest) time = longest;
    struct timespec until = {.tv_sec = (time_t)(time / 1000000000), .tv_nsec = (long)(time % 1000000000)};
    pthread_mutex_lock(&parker->lock);
    int result = 0;
    while (!parker->is_woken && result == 0) {
        result = pthread_cond_timedwait(&parker->unparked, &parker->lock, &until);
    }
    parker->is_woken = false;
    pthread_mutex_unlock(&parker->lock);
}

void ccurl_parker_unpark(ccurl_parker *parker) {
    if (!parker) return;
    pthread_mutex_lock(&parker->lock);
    parker->is_woken = true;
    pthread_cond_signal(&parker->unparked);
    pthread_mutex_unlock(&parker->lock);
}

#endif
