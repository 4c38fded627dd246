// Whether a body that ends with the connection is whole. Over TLS it is only if the server has said so with a
// close_notify (RFC 8446, section 6.1; RFC 9112, section 9.8). libcurl with OpenSSL does not look, so OpenSSL's callback
// for alerts is used; other libraries fail by themselves.

#if defined(__linux__)

#include "reuse.h"

#include <dlfcn.h>
#include <pthread.h>

enum { INFO_TLS_SSL_PTR = 0x400000 + 45, BACKEND_OPENSSL = 1 };
/// SSL_CB_READ_ALERT, and the alert in the lower byte of the value (SSL_set_info_callback(3)).
enum { READ_ALERT = 0x4004, CLOSE_NOTIFY = 0 };

typedef struct {
    int backend;
    void *connection;
} session_info;

typedef void (*info_callback)(const void *connection, int type, int value);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void (*set_info_callback)(void *connection, info_callback);

/// The connections of the loop that this thread works with now.
static _Thread_local ccurl_connections *current;

void ccurl_tls_enter(ccurl_connections *connections) { current = connections; }

static void load(void) {
    static const char *const names[] = {"libssl.so.3", "libssl.so.1.1", "libssl.so"};
    for (size_t index = 0; index < sizeof names / sizeof names[0] && !set_info_callback; index++) {
        // Only if libcurl has loaded it: another one would not know its connections.
        void *library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
        if (library) set_info_callback = dlsym(library, "SSL_set_info_callback");
    }
}

static void on_info(const void *connection, int type, int value) {
    if (type != READ_ALERT || (value & 0xFF) != CLOSE_NOTIFY) return;
    if (!current) return;
    for (ccurl_transfer *transfer = current->listening; transfer; transfer = transfer->own.next_tls) {
        if (transfer->own.tls == connection) transfer->own.tls_has_ended = true;
    }
}

void ccurl_tls_listen(ccurl_transfer *transfer) {
    session_info *info = NULL;
    if (ccurl.easy_getinfo(transfer->easy, INFO_TLS_SSL_PTR, &info) != 0 || !info || !info->connection) return;
    if (info->backend != BACKEND_OPENSSL) return;
    pthread_once(&once, load);
    if (!set_info_callback) return;
    transfer->own.tls = info->connection;
    transfer->own.tls_has_ended = false;
    transfer->own.next_tls = transfer->own.connections->listening;
    transfer->own.connections->listening = transfer;
    set_info_callback(info->connection, on_info);
}

void ccurl_tls_forget(ccurl_transfer *transfer) {
    if (!transfer->own.connections) return;
    for (ccurl_transfer **link = &transfer->own.connections->listening; *link; link = &(*link)->own.next_tls) {
        if (*link != transfer) continue;
        *link = transfer->own.next_tls;
        break;
    }
    transfer->own.tls = NULL;
}

bool ccurl_tls_is_truncated(const ccurl_transfer *transfer) {
    return transfer->own.tls && !transfer->own.tls_has_ended;
}

#endif
