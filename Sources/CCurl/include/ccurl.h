// libcurl without its headers: what is needed of it, found at run time, and the callbacks that must not wait for Swift.
//
// - library.c finds the library, once in a process.
// - loop.c is an event loop: libcurl's multi handle on epoll(7). It owns everything below.
// - reuse.c knows the connections of a loop: which are stale, and what may be sent again on another.
// - early.c takes what a server has said before it stops reading a request's body.
// - transfer.c is libcurl's easy handle, with what its callbacks collect; options.c sets its options, head.c reads heads,
//   tls.c how TLS ends. No callback leaves this module: the leader of the loop looks at the transfers that have news (news.c).
// - coding.c undoes content codings; threads.c has what Swift cannot ask of threads.
//
// Only the thread that leads a loop touches the loop and its transfers, between ccurl_enter and ccurl_leave.

#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: The library

/// Why libcurl cannot be used; NULL if it can. Looks it up the first time.
const char *ccurl_unavailable(void);

/// The library's version as in 0x075801; 0 without a library.
unsigned ccurl_version(void);

/// The library's version and that of its parts as text.
const char *ccurl_version_text(void);

/// Whether a transfer keeps a pointer to the last field of its last response, as from 7.83 to 8.1: a response that begins with a
/// folded line has the library write to freed memory then (curl/curl#11101). Such a line must not reach it.
bool ccurl_keeps_last_field(void);

/// Whether the library says when a request is about to be sent: since 7.80.
bool ccurl_says_when_ready(void);

/// Whether a connection with HTTP/2 by prior knowledge can be used again: not in 7.87 and 7.88 (curl/curl, pull
/// request 10643).
bool ccurl_keeps_plain_http2(void);

/// Whether the library may leave what it has read of an HTTP/2 stream lying, while it works on another stream of that
/// connection, until the transfer is continued.
bool ccurl_forgets_streams(void);

/// Whether a head over HTTP/2 may be larger than the buffer: before 8.1 its rest is kept back for good.
bool ccurl_splits_heads(void);

/// Whether the library takes a certificate and its key from memory: since 7.71, and with OpenSSL alone for certain.
bool ccurl_takes_identity_from_memory(void);

/// Whether the library speaks HTTP/2.
bool ccurl_has_http2(void);

/// What the library calls the error.
const char *ccurl_error_text(int code);

/// Which process this is: grows with every fork that led here.
unsigned ccurl_generation(void);

/// Begins work with the library. With older versions SIGPIPE is held back until it ends: they write to lost connections without
/// asking for none (before 7.87, with OpenSSL). If the process is ending, the thread stops here for good, because the
/// libraries below are being taken down.
void ccurl_enter(void);

/// Ends work with the library.
void ccurl_leave(void);

/// Whether the process has no descriptor left.
bool ccurl_is_out_of_descriptors(void);

// MARK: The loop

typedef struct ccurl_loop ccurl_loop;
typedef struct ccurl_transfer ccurl_transfer;

/// A descriptor that wakes a loop from any thread; negative if there is none left.
int ccurl_waker_open(void);
void ccurl_waker_close(int waker);
void ccurl_waker_wake(int waker);

/// A loop that keeps so many idle connections; NULL without memory or descriptors.
ccurl_loop *ccurl_loop_new(int waker, long connections);

/// Closes all connections. The loop's transfers must have been freed.
void ccurl_loop_free(ccurl_loop *loop);

/// Moves what can be moved.
void ccurl_loop_perform(ccurl_loop *loop);

/// Sleeps until something can be moved, the waker is used, or the time is over; false if it is over. Outside of enter and
/// leave.
bool ccurl_loop_wait(ccurl_loop *loop, int milliseconds);

/// The next transfer that has news; NULL if none has.
ccurl_transfer *ccurl_loop_next_news(ccurl_loop *loop);

/// The next transfer that is over; NULL if none is.
ccurl_transfer *ccurl_loop_next_done(ccurl_loop *loop, int *code);

/// A transfer of this loop; NULL without memory.
ccurl_transfer *ccurl_loop_new_transfer(ccurl_loop *loop);
void ccurl_transfer_free(ccurl_transfer *transfer);

/// Starts a transfer that has been prepared.
int ccurl_loop_start(ccurl_loop *loop, ccurl_transfer *transfer);

/// Takes a transfer out of the loop; closes its connection unless the transfer is over.
void ccurl_loop_stop(ccurl_loop *loop, ccurl_transfer *transfer);

// MARK: Transfers

/// Bytes that grow at the end.
typedef struct {
    unsigned char *bytes;
    size_t count;
    size_t capacity;
} ccurl_bytes;

bool ccurl_bytes_append(ccurl_bytes *buffer, const void *bytes, size_t count);

/// Why a transfer ended itself, or what libcurl does not say.
typedef enum {
    CCURL_FAULT_NONE,
    /// The server's head is none.
    CCURL_FAULT_HEAD,
    /// Head, interim heads and trailers are over the limit together.
    CCURL_FAULT_HEADER_BYTES,
    /// The connection was lost under a request that must not be repeated.
    CCURL_FAULT_LOST,
    /// There was no memory.
    CCURL_FAULT_MEMORY,
    /// A kept connection was stale. Nothing has been sent, and the loop goes on with another connection.
    CCURL_FAULT_STALE,
    /// There was no descriptor for a socket.
    CCURL_FAULT_DESCRIPTORS,
    /// The body ended with the connection, and TLS did not say that it was whole (RFC 9112, section 9.8).
    CCURL_FAULT_TRUNCATED,
} ccurl_fault;

struct ccurl_transfer {
    void *easy;

    /// What the transfer is for; NULL while it is for nothing.
    void *context;

    ccurl_fault fault;
    char error[256];

    /// Whether the connection has stood.
    bool is_connected;
    /// Whether the request may be sent again on another connection, and whether it has been.
    bool may_repeat;
    bool was_repeated;
    /// Whether a kept connection must not have anything to be read: not before a response has told that it is no HTTP/2.
    bool expects_silence;
    /// Whether what still comes is dropped.
    bool is_stopped;

    /// The lines of the final head without the first and the last.
    ccurl_bytes head;
    bool has_head;
    int status;
    int major_version;
    int minor_version;
    size_t header_limit;

    /// What has arrived of the body.
    ccurl_bytes body;
    int64_t body_total;
    /// Whether the last chunk of the body has been seen by early.c; libcurl does not tell of the one that it sees.
    bool has_last_chunk;
    /// Whether the sender has to wait.
    bool holds_sender;

    /// Whether the request has a body.
    bool has_request_body;
    /// What is to be sent of the body, from `feed_taken` on.
    ccurl_bytes feed;
    size_t feed_taken;
    int64_t feed_total;
    bool feed_ended;
    bool can_rewind;
    bool was_rewound;

    /// What only this module looks at: see transfer.h.
    struct ccurl_callbacks {
        struct ccurl_news *news;
        struct ccurl_connections *connections;
        ccurl_transfer *next_news;
        bool has_news;
        bool is_connecting;
        bool is_in_head;
        bool is_in_line;
        bool is_framed;
        bool is_chunked;
        bool is_holding;
        bool is_starved;
        size_t header_bytes;
        int opened[8];
        unsigned opened_count;
        /// The socket on which the request's body is sent, one more; 0 if none is known.
        int sends_on;
        void *lines;
        ccurl_bytes line_text;
        void *addresses;
        void *tls;
        ccurl_transfer *next_tls;
        bool tls_has_ended;
    } own;
};

/// Forgets the last request.
void ccurl_transfer_reset(ccurl_transfer *transfer);

/// Lets both directions go on that have no reason to wait any more.
void ccurl_transfer_continue(ccurl_transfer *transfer);

/// Has the library look once more at what it has read for the transfer.
void ccurl_transfer_look_again(ccurl_transfer *transfer);

/// Since the start of a transfer, in microseconds: when the host's address was known, when the connection stood, and when
/// TLS did, 0 without TLS.
typedef struct {
    bool is_reused;
    int64_t name_lookup;
    int64_t connect;
    int64_t tls;
} ccurl_times;

/// How long a transfer took to have its connection. False if it never had one.
bool ccurl_transfer_times(ccurl_transfer *transfer, ccurl_times *times);

/// Adds bytes to what is to be sent of the body; false without memory.
bool ccurl_transfer_feed(ccurl_transfer *transfer, const void *bytes, size_t count);

/// Takes what has arrived; the caller frees it.
void *ccurl_transfer_take_body(ccurl_transfer *transfer);

int ccurl_set_long(ccurl_transfer *transfer, int option, long value);
int ccurl_set_offset(ccurl_transfer *transfer, int option, int64_t value);
int ccurl_set_text(ccurl_transfer *transfer, int option, const char *value);
/// Sets an option to bytes, which are copied.
int ccurl_set_bytes(ccurl_transfer *transfer, int option, const void *bytes, size_t count);
/// Adds an address to connect to in place of what a name resolves to.
int ccurl_add_address(ccurl_transfer *transfer, const char *value);
/// Hands over the header lines, each with a zero byte behind it. Lines that are those of the last request are left as they are.
int ccurl_set_lines(ccurl_transfer *transfer, const char *lines, size_t count);

#endif
