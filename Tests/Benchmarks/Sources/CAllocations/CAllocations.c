#include "CAllocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#ifdef __linux__
#include <malloc.h>
#endif

// While nothing is counted an allocation costs one load more than without this file, for every contender alike.
static atomic_bool counting;
static atomic_long count;

void allocations_start(void) {
    atomic_store(&count, 0);
    atomic_store(&counting, true);
}

long allocations_stop(void) {
    atomic_store(&counting, false);
    return atomic_load(&count);
}

#ifdef __GLIBC__

bool allocations_are_counted(void) { return true; }

long allocations_held(void) {
    struct mallinfo2 information = mallinfo2();
    return (long)(information.uordblks + information.hblkhd);
}

static inline void note(void) {
    if (__builtin_expect(atomic_load_explicit(&counting, memory_order_relaxed), 0)) {
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    }
}

// glibc's own names for what the following functions stand in front of. `free` is left to it.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note();
    return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
    note();
    return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    note();
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *pointer = __libc_memalign(alignment, size);
    if (pointer == NULL) return ENOMEM;
    *result = pointer;
    return 0;
}

#else

bool allocations_are_counted(void) { return false; }

long allocations_held(void) { return -1; }

#endif
