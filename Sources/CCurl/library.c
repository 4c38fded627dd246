#if defined(__linux__)

#include "library.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

ccurl_functions ccurl;

/// 7.68.0, the first with all functions that are used here.
static const unsigned oldest = 0x074400;

enum { FEATURE_SSL = 1 << 2, FEATURE_ASYNC_DNS = 1 << 7, FEATURE_HTTP2 = 1 << 16 };
enum { GLOBAL_DEFAULT = 3, VERSION_NOW = 3 };

/// The beginning of libcurl's structure, which only ever grows at its end.
typedef struct {
    int age;
    const char *version;
    unsigned version_number;
    const char *host;
    int features;
} version_info;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256];
static const version_info *version;
static const char *version_text = "";
static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;
static atomic_bool is_ending;
static atomic_uint fork_count;

/// Runs before the exit handlers of libcurl's libraries, which were registered earlier. Threads that work with them
/// finish, and do not begin again.
static void stop_at_exit(void) {
    atomic_store(&is_ending, true);
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 2;
    pthread_rwlock_timedwrlock(&gate, &limit);
}

/// Resets the lock in the child, which does not have the threads that may hold it.
static void on_fork(void) {
    pthread_rwlock_init(&gate, NULL);
    atomic_fetch_add(&fork_count, 1);
}

/// libcurl, once it is loaded.
static void *curl;

static void *open_library(void) {
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so"};
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
        void *library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
    }
    return NULL;
}

static void *find(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (!function && !problem[0]) snprintf(problem, sizeof problem, "libcurl has no %s", name);
    return function;
}

static void load(void) {
    void *library = curl = open_library();
    if (!library) {
        snprintf(problem, sizeof problem, "libcurl.so.4 was not found");
        return;
    }
    const version_info *(*read_version)(int) = find(library, "curl_version_info");
    if (!read_version) return;
    version = read_version(VERSION_NOW);
    if (version->version_number < oldest) {
        snprintf(problem, sizeof problem, "libcurl %s is older than 7.68.0", version->version);
        return;
    }
    if (!(version->features & FEATURE_SSL) || !(version->features & FEATURE_ASYNC_DNS)) {
        snprintf(problem, sizeof problem, "libcurl %s was built without TLS or without a resolver that does not block",
                 version->version);
        return;
    }
    int (*start)(long) = find(library, "curl_global_init");
    const char *(*read_text)(void) = find(library, "curl_version");
#define LOAD(name) ccurl.name = find(library, "curl_" #name)
    LOAD(easy_init); LOAD(easy_setopt); LOAD(easy_getinfo); LOAD(easy_pause); LOAD(easy_cleanup); LOAD(easy_strerror);
    LOAD(multi_init); LOAD(multi_setopt); LOAD(multi_add_handle); LOAD(multi_remove_handle); LOAD(multi_socket_all);
    LOAD(multi_socket_action); LOAD(multi_info_read); LOAD(multi_cleanup); LOAD(slist_append); LOAD(slist_free_all);
#undef LOAD
    if (problem[0]) return;
    if (start(GLOBAL_DEFAULT) != 0) {
        snprintf(problem, sizeof problem, "libcurl could not be started");
        return;
    }
    version_text = read_text();
    atexit(stop_at_exit);
    pthread_atfork(NULL, NULL, on_fork);
}

const char *ccurl_unavailable(void) {
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

/// The library's version, as 0x075801; 0 without a library.
static unsigned number(void) { return ccurl_unavailable() ? 0 : version->version_number; }

bool ccurl_quirk_dangling_field(void) { return number() >= 0x075300 && number() < 0x080200; }

bool ccurl_has_prereq(void) { return number() >= 0x075000; }

bool ccurl_quirk_no_h2c_reuse(void) { return number() >= 0x075700 && number() < 0x080000; }

bool ccurl_quirk_stalled_streams(void) { return number() < 0x080000; }

bool ccurl_quirk_lost_answers(void) { return number() >= 0x075800 && number() < 0x080100; }

bool ccurl_quirk_unsplit_heads(void) { return number() < 0x080100; }

/// Whether the library uses OpenSSL. A TLS library that is not in use is in parentheses.
static bool has_openssl(void) { return strstr(version_text, " OpenSSL/"); }

void *ccurl_openssl_function(const char *name) { return has_openssl() ? dlsym(curl, name) : NULL; }

bool ccurl_has_cert_blobs(void) { return number() >= 0x074700 && has_openssl(); }

bool ccurl_has_authority_blob(void) { return number() >= 0x074D00 && has_openssl(); }

const char *ccurl_version_text(void) { return ccurl_unavailable() ? "" : version_text; }

bool ccurl_has_http2(void) { return !ccurl_unavailable() && (version->features & FEATURE_HTTP2); }

const char *ccurl_error_text(int code) { return ccurl_unavailable() ? problem : ccurl.easy_strerror(code); }

unsigned ccurl_fork_count(void) { return atomic_load_explicit(&fork_count, memory_order_relaxed); }

/// Whether a write to a lost connection may raise SIGPIPE: before 7.87, with OpenSSL.
static bool may_signal(void) { return number() < 0x075700; }

/// The signal mask of the thread before it entered.
static _Thread_local sigset_t outside;

static sigset_t pipe_signal(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    return signals;
}

void ccurl_enter(void) {
    while (atomic_load(&is_ending)) pause();
    pthread_rwlock_rdlock(&gate);
    if (!may_signal()) return;
    sigset_t signals = pipe_signal();
    pthread_sigmask(SIG_BLOCK, &signals, &outside);
}

void ccurl_leave(void) {
    if (may_signal() && !sigismember(&outside, SIGPIPE)) {
        // Removes a signal that was raised meanwhile.
        sigset_t signals = pipe_signal(), waiting;
        if (sigpending(&waiting) == 0 && sigismember(&waiting, SIGPIPE)) {
            struct timespec none = {0};
            sigtimedwait(&signals, NULL, &none);
        }
        pthread_sigmask(SIG_SETMASK, &outside, NULL);
    }
    pthread_rwlock_unlock(&gate);
}

bool ccurl_is_out_of_descriptors(void) {
    int made = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    if (made >= 0) close(made);
    return made < 0 && (errno == EMFILE || errno == ENFILE);
}

#endif
