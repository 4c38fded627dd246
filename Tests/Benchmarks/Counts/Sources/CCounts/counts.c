#define _GNU_SOURCE
#include "CCounts.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__

static atomic_bool counting;
static atomic_long allocations, libcurl_allocations, bytes, libcurl_bytes, locks;
static uintptr_t libcurl_start, libcurl_end;

static int find_libcurl(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    if (!strstr(info->dlpi_name, "libcurl")) return 0;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[index].p_vaddr;
        uintptr_t end = start + info->dlpi_phdr[index].p_memsz;
        if (info->dlpi_phdr[index].p_type != PT_LOAD) continue;
        if (!libcurl_start || start < libcurl_start) libcurl_start = start;
        if (end > libcurl_end) libcurl_end = end;
    }
    return 1;
}

bool counts_are_known(void) { return true; }

void counts_start(void) {
    dl_iterate_phdr(find_libcurl, NULL);
    allocations = libcurl_allocations = bytes = libcurl_bytes = locks = 0;
    counting = true;
}

counts counts_stop(void) {
    counting = false;
    return (counts){allocations, libcurl_allocations, bytes, libcurl_bytes, locks};
}

static inline void note(size_t size, void *caller) {
    if (!atomic_load_explicit(&counting, memory_order_relaxed)) return;
    bool is_libcurl = (uintptr_t)caller >= libcurl_start && (uintptr_t)caller < libcurl_end;
    atomic_fetch_add_explicit(is_libcurl ? &libcurl_allocations : &allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(is_libcurl ? &libcurl_bytes : &bytes, (long)size, memory_order_relaxed);
}

// glibc's own names for what the following functions stand in front of. `free` is left to it.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    note(size, __builtin_return_address(0));
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note(number * size, __builtin_return_address(0));
    return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
    note(size, __builtin_return_address(0));
    return __libc_realloc(pointer, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note(size, __builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    note(size, __builtin_return_address(0));
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *pointer = __libc_memalign(alignment, size);
    if (pointer == NULL) return ENOMEM;
    *result = pointer;
    return 0;
}

char *strdup(const char *text) {
    size_t size = strlen(text) + 1;
    note(size, __builtin_return_address(0));
    char *copy = __libc_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

// The thread that waits with a limit is the timer's. It looks every few milliseconds, however many calls there are, so
// its locks would depend on the speed of the machine.
static _Thread_local bool is_timer;

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *limit) {
    static int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (!wait) {
        wait = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))dlsym(
            RTLD_NEXT, "pthread_cond_timedwait"
        );
    }
    is_timer = true;
    return wait(condition, mutex, limit);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static int (*lock)(pthread_mutex_t *);
    if (!lock) lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    if (atomic_load_explicit(&counting, memory_order_relaxed) && !is_timer) {
        atomic_fetch_add_explicit(&locks, 1, memory_order_relaxed);
    }
    return lock(mutex);
}

#else

bool counts_are_known(void) { return false; }
void counts_start(void) {}
counts counts_stop(void) { return (counts){0}; }

#endif
