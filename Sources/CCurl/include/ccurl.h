// The functions of libcurl that are used, loaded at run time without its headers, and its callbacks.
//
// Each file uses those below it, and none above:
//
// - loop.c is an event loop: libcurl's multi handle on epoll(7). It owns the connections and the transfers.
// - reuse.c finds which connections are stale, and what may be sent again on another; address.c checks addresses.
// - early.c reads the response of a server that stops reading a request's body.
// - transfer.c is libcurl's easy handle, with the bytes that its callbacks collect; options.c sets its options.
// - head.c parses heads.
// - tls.c finds how TLS ends, and what else only OpenSSL knows.
// - connections.c has the sockets of a loop; ready_list.c has the transfers of a loop that have something to report. No
//   callback leaves this module, but for the check of an address: the leader of the loop advances these transfers.
// - bytes.c is a growing array; library.c loads the library, once in a process.
//
// Beside them, coding.c decodes content codings, pem.c checks certificates and keys, and threads.c has functions of
// threads that Swift lacks.
//
// Only the leader of a loop, the thread that works with libcurl at present, uses the loop and its transfers, between
// ccurl_enter and ccurl_leave.

#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: The library

/// The reason why libcurl cannot be used; NULL if it can. The first call loads it.
const char *ccurl_unavailable(void);

/// The versions of the library and its parts as text.
const char *ccurl_version_text(void);

/// From 7.83 to 8.1 a transfer keeps a pointer to the last field of its last response: a response that begins with a
/// folded line makes the library write to freed memory (curl/curl#11101). Such a line must not reach it.
bool ccurl_quirk_dangling_field(void);

/// Whether the library has a callback before a request is sent (CURLOPT_PREREQFUNCTION): since 7.80.
bool ccurl_has_prereq(void);

/// In 7.87 and 7.88 a connection with HTTP/2 by prior knowledge cannot be used again (curl/curl, pull request 10643).
bool ccurl_quirk_no_h2c_reuse(void);

/// Before 8.0 bytes of an HTTP/2 stream that were read with those of another stream may stay in the library until the
/// transfer is continued.
bool ccurl_quirk_stalled_streams(void);

/// From 7.88 to 8.0 bytes of an HTTP/2 stream that were read together with its RST_STREAM are lost in the library.
bool ccurl_quirk_lost_answers(void);

/// Before 8.1 a head over HTTP/2 must fit into the buffer: its rest never arrives.
bool ccurl_quirk_unsplit_heads(void);

/// Whether the library takes a certificate and its key from memory: since 7.71 with OpenSSL.
bool ccurl_has_cert_blobs(void);

/// Whether the library takes certificate authorities from memory: since 7.77 with OpenSSL.
bool ccurl_has_authority_blob(void);

/// Whether the library supports HTTP/2.
bool ccurl_has_http2(void);

/// The library's message for the error.
const char *ccurl_error_text(int code);

/// The number of forks that led to this process.
unsigned ccurl_fork_count(void);

/// Begins work with the library. Before 7.87, which may raise SIGPIPE on a lost connection with OpenSSL, the signal is
/// blocked until ccurl_leave. If the process is ending, the thread stops here for good, because the libraries below are
/// being unloaded.
void ccurl_enter(void);

/// Ends work with the library.
void ccurl_leave(void);

/// Whether the process has no descriptor left.
bool ccurl_is_out_of_descriptors(void);

// MARK: The loop

typedef struct ccurl_loop ccurl_loop;
typedef struct ccurl_transfer ccurl_transfer;

/// A descriptor that wakes a loop from any thread; negative if no descriptor is free.
int ccurl_waker_open(void);
void ccurl_waker_close(int waker);
void ccurl_waker_wake(int waker);

/// A loop that keeps this number of idle connections; NULL without memory or descriptors.
ccurl_loop *ccurl_loop_new(int waker, long connections);

/// Closes all connections. The loop's transfers must have been freed.
void ccurl_loop_free(ccurl_loop *loop);

/// Has libcurl process the sockets that are ready and the timers that are due.
void ccurl_loop_perform(ccurl_loop *loop);

/// Sleeps until a socket is ready, the waker is used, or the time is over; false if it is over. To be called outside of
/// enter and leave.
bool ccurl_loop_wait(ccurl_loop *loop, int milliseconds);

/// Removes the next transfer of the ready list; NULL if it is empty.
ccurl_transfer *ccurl_loop_next_ready(ccurl_loop *loop);

/// The next transfer that has ended; NULL without one.
ccurl_transfer *ccurl_loop_next_done(ccurl_loop *loop, int *code);

/// A transfer of this loop; NULL without memory.
ccurl_transfer *ccurl_loop_new_transfer(ccurl_loop *loop);
void ccurl_transfer_free(ccurl_transfer *transfer);

/// Starts a transfer that has been prepared.
int ccurl_loop_start(ccurl_loop *loop, ccurl_transfer *transfer);

/// Removes a transfer from the loop; closes its connection unless the transfer has ended.
void ccurl_loop_stop(ccurl_loop *loop, ccurl_transfer *transfer);

/// Resumes the directions that have no reason to be paused any more.
void ccurl_loop_continue(ccurl_transfer *transfer);

/// Has the library process again the bytes it has read for the transfer.
void ccurl_loop_reread(ccurl_transfer *transfer);

// MARK: Transfers

/// A growing array of bytes.
typedef struct {
    unsigned char *bytes;
    size_t count;
    size_t capacity;
} ccurl_bytes;

bool ccurl_bytes_append(ccurl_bytes *buffer, const void *bytes, size_t count);

/// The reason why a callback has ended a transfer, or that libcurl does not report.
typedef enum {
    CCURL_FAULT_NONE,
    /// The head is invalid.
    CCURL_FAULT_HEAD,
    /// The status line is invalid.
    CCURL_FAULT_STATUS_LINE,
    /// The first header line begins with a blank.
    CCURL_FAULT_BLANK,
    /// Status 101, which the request has not asked for, or with a body.
    CCURL_FAULT_UPGRADE,
    /// Head, interim heads and trailers together are over the limit.
    CCURL_FAULT_HEADER_BYTES,
    /// The connection was lost under a request that must not be repeated.
    CCURL_FAULT_LOST,
    /// Out of memory.
    CCURL_FAULT_MEMORY,
    /// A kept connection was stale. Nothing has been sent, and the loop restarts the transfer on another connection.
    CCURL_FAULT_STALE,
    /// No descriptor was free for a socket.
    CCURL_FAULT_DESCRIPTORS,
    /// The body ended with the connection, without a close_notify of TLS (RFC 9112, section 9.8).
    CCURL_FAULT_TRUNCATED,
    /// No address of the host may be connected with.
    CCURL_FAULT_ADDRESS,
} ccurl_fault;

/// Whether a transfer may connect with an address: the bytes of an IPv4 or IPv6 address, or none for a Unix domain
/// socket. Called just before a socket is created.
typedef bool (*ccurl_address_check)(ccurl_transfer *transfer, const void *bytes, size_t count);

struct ccurl_transfer {
    void *easy;

    /// The owner of the transfer; NULL while it has none.
    void *context;

    /// NULL if every address may be connected with. A reset keeps it.
    ccurl_address_check may_connect;

    ccurl_fault fault;
    char error[256];

    /// Whether the connection has been established.
    bool is_connected;
    /// Whether the request may be sent again on another connection, and whether it has been.
    bool may_repeat;
    bool was_repeated;
    /// Whether a kept connection must have nothing to read: only once a response has shown that it is not HTTP/2.
    bool expects_silence;
    /// Whether bytes that still arrive are dropped.
    bool is_stopped;

    /// The lines of the final head without the first and the last.
    ccurl_bytes head;
    bool has_head;
    int status;
    int major_version;
    int minor_version;
    /// The version of TLS as on the wire, and the end of the server's certificate in seconds since 1970; 0 if unknown.
    int tls_version;
    int64_t certificate_expiry;
    size_t header_limit;
    /// The age in milliseconds from which a connection that this transfer opens takes one last request; 0 for no limit.
    int64_t lifetime;

    /// Bytes of the body that have arrived and have not been taken.
    ccurl_bytes body;
    int64_t body_total;
    /// Whether early.c has read the last chunk of the body. libcurl does not report it.
    bool has_last_chunk;
    /// Whether the sender is paused.
    bool holds_sender;

    /// Whether the request has a body.
    bool has_request_body;
    /// Bytes of the request's body; those before `feed_taken` have been sent.
    ccurl_bytes feed;
    size_t feed_taken;
    int64_t feed_total;
    bool feed_ended;
    /// Whether the server may switch the connection to another protocol.
    bool may_switch;
    bool can_rewind;
    bool was_rewound;

    /// For this module only.
    struct ccurl_callbacks {
        struct ccurl_ready_list *ready_list;
        struct ccurl_connections *connections;
        ccurl_transfer *next_ready;
        bool is_ready;
        bool is_connecting;
        bool is_in_head;
        bool is_in_line;
        bool is_framed;
        bool is_chunked;
        bool is_holding;
        bool is_starved;
        bool reads;
        size_t header_bytes;
        int opened[8];
        unsigned opened_count;
        /// The number of the socket that the request's body is sent on, plus one; 0 if it is not known.
        int sends_on;
        void *lines;
        ccurl_bytes line_text;
        void *addresses;
        void *tls;
        ccurl_transfer *next_tls;
        bool tls_has_ended;
    } own;
};

/// Resets the transfer for another request.
void ccurl_transfer_reset(ccurl_transfer *transfer);

/// Microseconds from the start of a transfer until its host was resolved, until it was connected, and until TLS was
/// established (0 without TLS).
typedef struct {
    bool is_reused;
    int64_t name_lookup;
    int64_t connect;
    int64_t tls;
    /// The address of the connection as text, which lasts as long as the transfer; NULL without one.
    const char *address;
    /// Its port; 0 without one.
    long port;
} ccurl_times;

/// The times and the address of a transfer's connection. False if it never had one.
bool ccurl_transfer_times(ccurl_transfer *transfer, ccurl_times *times);

/// Adds bytes of the request's body; false without memory.
bool ccurl_transfer_feed(ccurl_transfer *transfer, const void *bytes, size_t count);

/// Whether the server has ended a connection that is switched, or was to be.
bool ccurl_transfer_has_hung_up(const ccurl_transfer *transfer);

/// Removes the bytes of the body that have arrived; the caller frees them.
void *ccurl_transfer_take_body(ccurl_transfer *transfer);

#endif
