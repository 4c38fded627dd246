// libcurl without its headers: what is needed of it, found at run time, and the callbacks that must not wait for Swift.
//
// Three things live here. The library (library.c) is looked up once in a process. A loop (loop.c) is libcurl's multi
// handle. A transfer (transfer.c) is libcurl's easy handle with what its callbacks collect: no callback ever leaves
// this module; who runs the loop looks at the transfers that have news.
//
// Only the thread that runs a loop touches the loop and its transfers, between ccurl_enter and ccurl_leave.

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

/// Whether a transfer can be used for one request after another. From 7.83 to 8.1 libcurl keeps a pointer to the last
/// field of the last response: one that begins with a folded line has it written to freed memory (curl/curl#11101).
bool ccurl_keeps_transfers(void);

/// Whether a connection with HTTP/2 by prior knowledge can be used again: not in 7.87 and 7.88 (curl/curl, pull
/// request 10643).
bool ccurl_keeps_plain_http2(void);

/// Whether a head over HTTP/2 may be larger than the buffer: before 8.1 its rest is kept back for good.
bool ccurl_splits_heads(void);

/// Whether the library speaks HTTP/2.
bool ccurl_has_http2(void);

/// What the library calls the error.
const char *ccurl_error_text(int code);

/// Which process this is: grows with every fork that led here.
unsigned ccurl_generation(void);

/// Begins work with the library, unless the process is ending: then the thread stops here for good, because the
/// libraries below are being taken down.
void ccurl_enter(void);

/// Ends work with the library.
void ccurl_leave(void);

// MARK: Threads

/// Runs the body on a thread of its own; false if there can be none.
bool ccurl_thread_start(void (*body)(void *), void *context);

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

/// Sleeps until something can be moved, the waker is used, or the time is over. Outside of enter and leave.
void ccurl_loop_wait(ccurl_loop *loop, int milliseconds);

/// The next transfer that has news; NULL if none has.
ccurl_transfer *ccurl_loop_next_news(ccurl_loop *loop);

/// The next transfer that is over; NULL if none is.
ccurl_transfer *ccurl_loop_next_done(ccurl_loop *loop, int *code);

// MARK: Transfers

/// Bytes that grow at the end.
typedef struct {
    unsigned char *bytes;
    size_t count;
    size_t capacity;
} ccurl_bytes;

bool ccurl_bytes_append(ccurl_bytes *buffer, const void *bytes, size_t count);

/// Why a transfer ended itself.
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
    /// A kept connection was not silent. Nothing has been sent, and the loop goes on with another connection.
    CCURL_FAULT_STALE,
} ccurl_fault;

struct ccurl_transfer {
    void *easy;
    ccurl_loop *loop;

    /// Whose transfer it is.
    void *context;

    ccurl_transfer *next_news;
    bool has_news;
    ccurl_fault fault;
    char error[256];

    /// Whether it has been started and its connection has not stood since.
    bool is_connecting;
    /// Whether the connection has stood.
    bool is_connected;
    /// Whether the request may be sent again on another connection.
    bool may_repeat;
    /// Whether nobody wants what still comes.
    bool is_stopped;
    /// Whether a kept connection must not have anything to be read: true unless it may carry HTTP/2.
    bool expects_silence;
    /// The sockets that were opened last.
    int opened[8];
    unsigned opened_count;

    /// The lines of the final head without the first and the last.
    ccurl_bytes head;
    bool has_head;
    bool is_in_head;
    int status;
    int major_version;
    int minor_version;
    size_t header_bytes;
    size_t header_limit;

    /// The values of the options that take lists.
    void *lines;
    void *addresses;

    /// What has arrived of the body.
    ccurl_bytes body;
    int64_t body_total;
    /// Whether the sender has to wait, and whether it does.
    bool holds_sender;
    bool is_holding;

    /// What is to be sent of the body, from `feed_taken` on.
    ccurl_bytes feed;
    size_t feed_taken;
    int64_t feed_total;
    bool feed_ended;
    bool is_starved;
    bool can_rewind;
    bool was_rewound;
};

/// A transfer with what is the same for all; NULL without memory.
ccurl_transfer *ccurl_transfer_new(ccurl_loop *loop);
void ccurl_transfer_free(ccurl_transfer *transfer);

/// Forgets the last request.
void ccurl_transfer_reset(ccurl_transfer *transfer);

int ccurl_transfer_start(ccurl_transfer *transfer);

/// Takes the transfer out of its loop; closes the connection unless the transfer is over.
void ccurl_transfer_stop(ccurl_transfer *transfer);

/// Lets both directions go on that have no reason to wait any more.
void ccurl_transfer_continue(ccurl_transfer *transfer);

/// Adds bytes to what is to be sent of the body; false without memory.
bool ccurl_transfer_feed(ccurl_transfer *transfer, const void *bytes, size_t count);

/// Takes what has arrived; the caller frees it.
void *ccurl_transfer_take_body(ccurl_transfer *transfer);

int ccurl_set_long(ccurl_transfer *transfer, int option, long value);
int ccurl_set_offset(ccurl_transfer *transfer, int option, int64_t value);
int ccurl_set_text(ccurl_transfer *transfer, int option, const char *value);
/// Adds an element to the value of an option that takes a list.
int ccurl_add_text(ccurl_transfer *transfer, int option, const char *value);

/// Options of a request; libcurl's numbers are part of its binary interface.
typedef enum {
    CCURL_URL = 10002,
    CCURL_PROXY = 10004,
    CCURL_POSTFIELDS = 10015,
    CCURL_HTTPHEADER = 10023,
    CCURL_SSLCERT = 10025,
    CCURL_KEYPASSWD = 10026,
    CCURL_SSLVERSION = 32,
    CCURL_CUSTOMREQUEST = 10036,
    CCURL_NOBODY = 44,
    CCURL_UPLOAD = 46,
    CCURL_FRESH_CONNECT = 74,
    CCURL_FORBID_REUSE = 75,
    CCURL_POST = 47,
    CCURL_INTERFACE = 10062,
    CCURL_CAINFO = 10065,
    CCURL_HTTPGET = 80,
    CCURL_HTTP_VERSION = 84,
    CCURL_BUFFERSIZE = 98,
    CCURL_SSLKEY = 10087,
    CCURL_CAPATH = 10097,
    CCURL_INFILESIZE = 30115,
    CCURL_POSTFIELDSIZE = 30120,
    CCURL_NOPROXY = 10177,
    CCURL_RESOLVE = 10203,
    CCURL_PINNEDPUBLICKEY = 10230,
    CCURL_UNIX_SOCKET_PATH = 10231,
    CCURL_PIPEWAIT = 237,
    CCURL_MAXAGE_CONN = 288,
} CCurlOption;

// MARK: Codings

/// The content codings that can be undone here.
enum {
    CCURL_GZIP = 1,
    CCURL_DEFLATE = 2,
    CCURL_BROTLI = 4,
    CCURL_ZSTD = 8,
};

int ccurl_codings(void);

typedef struct ccurl_decoder ccurl_decoder;

/// NULL if the coding cannot be undone, or there is no memory.
ccurl_decoder *ccurl_decoder_new(int coding);
void ccurl_decoder_free(ccurl_decoder *decoder);

/// Decodes until the input is used up or the output is full. Says how much was used and made; false if the input is
/// not what it should be.
bool ccurl_decoder_run(
    ccurl_decoder *decoder, const unsigned char *input, size_t *input_count, unsigned char *output, size_t *output_count);

/// Whether the input so far is whole.
bool ccurl_decoder_is_whole(const ccurl_decoder *decoder);

#endif
