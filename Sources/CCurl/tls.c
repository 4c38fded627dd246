// Truncation: over TLS, a body that ends with the connection is complete only after a close_notify (RFC 8446, section
// 6.1; RFC 9112, section 9.8). libcurl with OpenSSL does not check it, so OpenSSL's callback for alerts is used; other
// libraries fail by themselves.
//
// The version of TLS and the end of the server's certificate, which libcurl does not report: OpenSSL knows them as long
// as there is the connection.
//
// And early responses (early.c) over TLS: only libcurl can read the response from a lost connection, so it must not
// fail with the write before.

#if defined(__linux__)

#include "tls.h"

#include "connections.h"
#include "library.h"

#include <pthread.h>
#include <sys/socket.h>
#include <time.h>

enum { INFO_TLS_SSL_PTR = 0x400000 + 45, BACKEND_OPENSSL = 1 };
/// SSL_CB_READ_ALERT, and the alert in the lower byte of the value (SSL_set_info_callback(3)).
enum { READ_ALERT = 0x4004, CLOSE_NOTIFY = 0 };
/// BIO_CB_WRITE | BIO_CB_RETURN (BIO_set_callback_ex(3)), BIO_FLAGS_SHOULD_RETRY, and that with BIO_FLAGS_WRITE.
enum { HAS_WRITTEN = 0x83, SHOULD_RETRY = 8, RETRY_WRITE = 10 };
/// The most failed writes in a row that are reported as writes that would block.
enum { MOST_EXCUSES = 16 };

typedef struct {
    int backend;
    void *connection;
} session_info;

typedef void (*info_callback)(const void *connection, int type, int value);
typedef long (*bio_callback)(void *bio, int operation, const char *, size_t, int, long, int result, size_t *);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void (*set_info_callback)(void *connection, info_callback);
static void *(*get_write_bio)(const void *connection);
static void (*set_bio_callback)(void *bio, bio_callback);
static void (*set_bio_argument)(void *bio, char *);
static char *(*get_bio_argument)(const void *bio);
static int (*test_bio_flags)(const void *bio, int);
static void (*set_bio_flags)(void *bio, int);
static int (*version_of)(const void *connection);
static void *(*session_of)(const void *connection);
static void *(*certificate_of)(void *session);
static const void *(*end_of)(const void *certificate);
static int (*read_time)(const void *, struct tm *);

/// The connections of the loop that this thread works with.
static _Thread_local ccurl_connections *current;

void ccurl_tls_enter(ccurl_connections *connections) { current = connections; }

static void load(void) {
    set_info_callback = ccurl_openssl_function("SSL_set_info_callback");
    get_write_bio = ccurl_openssl_function("SSL_get_wbio");
    set_bio_argument = ccurl_openssl_function("BIO_set_callback_arg");
    get_bio_argument = ccurl_openssl_function("BIO_get_callback_arg");
    test_bio_flags = ccurl_openssl_function("BIO_test_flags");
    set_bio_flags = ccurl_openssl_function("BIO_set_flags");
    set_bio_callback = ccurl_openssl_function("BIO_set_callback_ex");
    version_of = ccurl_openssl_function("SSL_version");
    session_of = ccurl_openssl_function("SSL_get_session");
    certificate_of = ccurl_openssl_function("SSL_SESSION_get0_peer");
    end_of = ccurl_openssl_function("X509_get0_notAfter");
    read_time = ccurl_openssl_function("ASN1_TIME_to_tm");
}

/// OpenSSL's object of the transfer's connection; NULL without one.
static void *connection_of(const ccurl_transfer *transfer) {
    session_info *info = NULL;
    if (ccurl.easy_getinfo(transfer->easy, INFO_TLS_SSL_PTR, &info) != 0 || !info) return NULL;
    if (!info->connection || info->backend != BACKEND_OPENSSL) return NULL;
    pthread_once(&once, load);
    return info->connection;
}

// MARK: Truncation

static void on_info(const void *connection, int type, int value) {
    if (type != READ_ALERT || (value & 0xFF) != CLOSE_NOTIFY) return;
    if (!current) return;
    for (ccurl_transfer *transfer = current->listening; transfer; transfer = transfer->own.next_tls) {
        if (transfer->own.tls == connection) transfer->own.tls_has_ended = true;
    }
}

void ccurl_tls_listen(ccurl_transfer *transfer) {
    void *connection = connection_of(transfer);
    if (!connection || !set_info_callback) return;
    transfer->own.tls = connection;
    transfer->own.tls_has_ended = false;
    transfer->own.next_tls = transfer->own.connections->listening;
    transfer->own.connections->listening = transfer;
    set_info_callback(connection, on_info);
}

void ccurl_tls_forget(ccurl_transfer *transfer) {
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

// MARK: The connection

void ccurl_tls_note(ccurl_transfer *transfer) {
    transfer->tls_version = 0;
    transfer->certificate_expiry = 0;
    void *connection = connection_of(transfer);
    if (!connection || !version_of || !session_of || !certificate_of || !end_of || !read_time) return;
    transfer->tls_version = version_of(connection);
    void *session = session_of(connection);
    void *certificate = session ? certificate_of(session) : NULL;
    struct tm end;
    if (certificate && read_time(end_of(certificate), &end) == 1) transfer->certificate_expiry = timegm(&end);
}

// MARK: Early responses

/// Reports a failed write as one that would block, while there is something to read.
static long on_write(void *bio, int operation, const char *bytes, size_t count, int number, long value, int result,
                     size_t *written) {
    (void)bytes, (void)count, (void)number, (void)value, (void)written;
    if (operation != HAS_WRITTEN || result > 0 || !current || test_bio_flags(bio, SHOULD_RETRY)) return result;
    int socket = (int)(intptr_t)get_bio_argument(bio);
    ccurl_socket *known = ccurl_connections_socket(current, socket);
    char byte;
    if (!known || recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0) return result;
    if (known->excused_writes++ < MOST_EXCUSES) set_bio_flags(bio, RETRY_WRITE);
    return result;
}

void ccurl_tls_excuse_writes(ccurl_transfer *transfer, int number) {
    void *connection = connection_of(transfer);
    if (!connection || !get_write_bio || !set_bio_callback || !set_bio_argument) return;
    if (!get_bio_argument || !test_bio_flags || !set_bio_flags) return;
    void *bio = get_write_bio(connection);
    if (!bio) return;
    set_bio_argument(bio, (char *)(intptr_t)number);
    set_bio_callback(bio, on_write);
}

#endif
