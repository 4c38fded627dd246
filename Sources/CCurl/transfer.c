#if defined(__linux__)

#include "library.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    OPTION_WRITEDATA = 10001,
    OPTION_READDATA = 10009,
    OPTION_ERRORBUFFER = 10010,
    OPTION_WRITEFUNCTION = 20011,
    OPTION_READFUNCTION = 20012,
    OPTION_HEADERDATA = 10029,
    OPTION_NOPROGRESS = 43,
    OPTION_FOLLOWLOCATION = 52,
    OPTION_SSL_VERIFYPEER = 64,
    OPTION_HEADERFUNCTION = 20079,
    OPTION_SSL_VERIFYHOST = 81,
    OPTION_NOSIGNAL = 99,
    OPTION_PRIVATE = 10103,
    OPTION_CONNECTTIMEOUT_MS = 156,
    OPTION_OPENSOCKETFUNCTION = 20163,
    OPTION_OPENSOCKETDATA = 10164,
    OPTION_CLOSESOCKETFUNCTION = 20208,
    OPTION_CLOSESOCKETDATA = 10209,
    OPTION_SEEKFUNCTION = 20167,
    OPTION_SEEKDATA = 10168,
    OPTION_PROTOCOLS = 181,
    OPTION_PATH_AS_IS = 234,
    OPTION_SUPPRESS_CONNECT_HEADERS = 265,
    OPTION_HTTP09_ALLOWED = 285,
    OPTION_PREREQFUNCTION = 20312,
    OPTION_PREREQDATA = 10313,
    OPTION_QUICK_EXIT = 322,
};

enum { PROTOCOL_HTTP = 1, PROTOCOL_HTTPS = 2 };
enum { WRITE_PAUSE = 0x10000001, READ_PAUSE = 0x10000001, READ_ABORT = 0x10000000 };
enum { SEEK_OK = 0, SEEK_FAIL = 1, READY_OK = 0, READY_ABORT = 1 };
enum { PAUSE_RECEIVING = 1, PAUSE_SENDING = 4 };

/// Received bytes that wait to be looked at.
enum { BODY_ROOM = 256 << 10 };

/// Longer than anybody waits: libcurl's own clock must not be the first.
static const long forever = 0x7fffffff;

typedef struct {
    int family;
    int type;
    int protocol;
    unsigned length;
    struct sockaddr address;
} socket_address;

bool ccurl_bytes_append(ccurl_bytes *buffer, const void *bytes, size_t count) {
    if (buffer->capacity - buffer->count < count) {
        size_t capacity = buffer->capacity ? buffer->capacity : 512;
        while (capacity - buffer->count < count) capacity *= 2;
        unsigned char *grown = realloc(buffer->bytes, capacity);
        if (!grown) return false;
        buffer->bytes = grown;
        buffer->capacity = capacity;
    }
    if (count) memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
    return true;
}

/// Empties the buffer; keeps its memory unless it has much.
static void forget(ccurl_bytes *buffer) {
    buffer->count = 0;
    if (buffer->capacity <= 64 << 10) return;
    free(buffer->bytes);
    *buffer = (ccurl_bytes){0};
}

static size_t fail(ccurl_transfer *transfer, ccurl_fault fault) {
    transfer->fault = fault;
    return 0;
}

// MARK: The head

static bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/// Reads `HTTP/1.1 200 OK` or `HTTP/2 200`; libcurl takes more for a status line than that.
static bool read_status_line(ccurl_transfer *transfer, const char *line, size_t length) {
    const char *end = line + length;
    while (end > line && (end[-1] == '\r' || end[-1] == '\n')) end--;
    if (end - line < 10 || memcmp(line, "HTTP/", 5) != 0 || !is_digit(line[5])) return false;
    const char *next = line + 6;
    transfer->major_version = line[5] - '0';
    transfer->minor_version = 0;
    if (*next == '.') {
        if (!is_digit(next[1])) return false;
        transfer->minor_version = next[1] - '0';
        next += 2;
    }
    if (end - next < 4 || *next++ != ' ') return false;
    int status = 0;
    for (const char *stop = next + 3; next < stop; next++) {
        if (!is_digit(*next)) return false;
        status = status * 10 + *next - '0';
    }
    if (next < end && *next != ' ') return false;
    transfer->status = status;
    return status >= 100;
}

/// Gets one line: of an interim head, of the final one, or of the trailers, which are counted and dropped.
static size_t on_header(char *line, size_t size, size_t count, void *context) {
    ccurl_transfer *transfer = context;
    size_t length = size * count;
    transfer->header_bytes += length;
    if (transfer->header_bytes > transfer->header_limit) return fail(transfer, CCURL_FAULT_HEADER_BYTES);
    if (transfer->has_head) return length;
    if (!transfer->is_in_head) {
        if (!read_status_line(transfer, line, length)) return fail(transfer, CCURL_FAULT_HEAD);
        transfer->is_in_head = true;
        transfer->head.count = 0;
        return length;
    }
    if (line[0] != '\n' && !(line[0] == '\r' && length == 2)) {
        return ccurl_bytes_append(&transfer->head, line, length) ? length : fail(transfer, CCURL_FAULT_MEMORY);
    }
    transfer->is_in_head = false;
    if (transfer->status == 101) return fail(transfer, CCURL_FAULT_HEAD);
    if (transfer->status < 200) return length;
    transfer->has_head = true;
    ccurl_loop_add_news(transfer);
    return length;
}

// MARK: The bodies

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
    ccurl_transfer *transfer = context;
    size_t length = size * count;
    if (transfer->is_stopped) return length;
    if (!transfer->has_head) return fail(transfer, CCURL_FAULT_HEAD);
    ccurl_loop_add_news(transfer);
    if (transfer->holds_sender || transfer->body.count >= BODY_ROOM) {
        transfer->is_holding = true;
        return WRITE_PAUSE;
    }
    if (!ccurl_bytes_append(&transfer->body, bytes, length)) return fail(transfer, CCURL_FAULT_MEMORY);
    transfer->body_total += (int64_t)length;
    return length;
}

static size_t on_read(char *buffer, size_t size, size_t count, void *context) {
    ccurl_transfer *transfer = context;
    size_t room = size * count;
    size_t left = transfer->feed.count - transfer->feed_taken;
    if (left == 0) {
        if (transfer->feed_ended) return 0;
        transfer->is_starved = true;
        ccurl_loop_add_news(transfer);
        return READ_PAUSE;
    }
    size_t length = left < room ? left : room;
    memcpy(buffer, transfer->feed.bytes + transfer->feed_taken, length);
    transfer->feed_taken += length;
    transfer->feed_total += (int64_t)length;
    ccurl_loop_add_news(transfer);
    return length;
}

/// The request is about to be sent again.
static int on_seek(void *context, int64_t offset, int origin) {
    ccurl_transfer *transfer = context;
    if (offset != 0 || origin != 0 || !transfer->can_rewind) return SEEK_FAIL;
    transfer->feed.count = transfer->feed_taken = 0;
    transfer->feed_total = 0;
    transfer->feed_ended = false;
    transfer->was_rewound = true;
    ccurl_loop_add_news(transfer);
    return SEEK_OK;
}

// MARK: The connection

/// The local port of a socket; 0 if it has none.
static int local_port_of(int socket) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(socket, (struct sockaddr *)&address, &length) != 0) return 0;
    switch (address.ss_family) {
    case AF_INET: return ntohs(((struct sockaddr_in *)&address)->sin_port);
    case AF_INET6: return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
    default: return 0;
    }
}

/// Whether the connection has been kept, and has something to be read, or has ended. What a server says unasked would
/// be taken for the answer to the next request: libcurl before 8 does not look.
static bool is_stale(ccurl_transfer *transfer, const char *remote, int remote_port, int local_port) {
    if (local_port <= 0) return false;
    uint32_t remote_host = 2166136261;
    for (const char *byte = remote; byte && *byte; byte++) remote_host = (remote_host ^ (uint8_t)*byte) * 16777619;
    ccurl_loop *loop = transfer->loop;
    unsigned count = sizeof transfer->opened / sizeof transfer->opened[0];
    if (transfer->opened_count < count) count = transfer->opened_count;
    for (unsigned index = 0; index < count; index++) {
        if (local_port_of(transfer->opened[index]) != local_port) continue;
        ccurl_loop_know(loop, transfer->opened[index], local_port, remote_port, remote_host);
        return false;
    }
    int kept = transfer->expects_silence ? ccurl_loop_find(loop, local_port, remote_port, remote_host) : -1;
    if (kept < 0) return false;
    char byte;
    ssize_t received = recv(kept, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return received >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

static void connects_no_more(ccurl_transfer *transfer) {
    if (transfer->is_connecting) transfer->loop->connecting--;
    transfer->is_connecting = false;
}

/// The connection stands and the request is about to be sent. The second time, a kept connection has been lost, and
/// the server may have acted on what it got.
static int on_ready(void *context, char *remote, char *local, int remote_port, int local_port) {
    (void)local;
    ccurl_transfer *transfer = context;
    if (is_stale(transfer, remote, remote_port, local_port)) {
        transfer->fault = CCURL_FAULT_STALE;
        return READY_ABORT;
    }
    if (transfer->is_connected && !transfer->may_repeat) {
        transfer->fault = CCURL_FAULT_LOST;
        return READY_ABORT;
    }
    transfer->is_connected = true;
    connects_no_more(transfer);
    ccurl_loop_add_news(transfer);
    return READY_OK;
}

/// Sockets that no other program inherits.
static int on_socket(void *context, int purpose, socket_address *address) {
    (void)purpose;
    ccurl_transfer *transfer = context;
    int made = socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
    if (made >= 0 && !ccurl_loop_meet(transfer->loop, made)) {
        close(made);
        made = -1;
    }
    transfer->opened[transfer->opened_count++ % (sizeof transfer->opened / sizeof transfer->opened[0])] = made;
    return made;
}

/// A number that is free again says nothing about the next socket that gets it.
static int on_close(void *context, int number) {
    ccurl_loop *loop = context;
    loop->has_closed = true;
    ccurl_loop_forget(loop, number);
    return close(number);
}

// MARK: Life

ccurl_transfer *ccurl_transfer_new(ccurl_loop *loop) {
    ccurl_transfer *transfer = calloc(1, sizeof *transfer);
    void *easy = transfer ? ccurl.easy_init() : NULL;
    if (!easy) {
        free(transfer);
        return NULL;
    }
    transfer->easy = easy;
    transfer->loop = loop;
    ccurl.easy_setopt(easy, OPTION_PRIVATE, transfer);
    ccurl.easy_setopt(easy, OPTION_ERRORBUFFER, transfer->error);
    ccurl.easy_setopt(easy, OPTION_WRITEDATA, transfer);
    ccurl.easy_setopt(easy, OPTION_WRITEFUNCTION, on_body);
    ccurl.easy_setopt(easy, OPTION_HEADERDATA, transfer);
    ccurl.easy_setopt(easy, OPTION_HEADERFUNCTION, on_header);
    ccurl.easy_setopt(easy, OPTION_READDATA, transfer);
    ccurl.easy_setopt(easy, OPTION_READFUNCTION, on_read);
    ccurl.easy_setopt(easy, OPTION_SEEKDATA, transfer);
    ccurl.easy_setopt(easy, OPTION_SEEKFUNCTION, on_seek);
    ccurl.easy_setopt(easy, OPTION_PREREQDATA, transfer);
    ccurl.easy_setopt(easy, OPTION_PREREQFUNCTION, on_ready);
    ccurl.easy_setopt(easy, OPTION_OPENSOCKETDATA, transfer);
    ccurl.easy_setopt(easy, OPTION_OPENSOCKETFUNCTION, on_socket);
    ccurl.easy_setopt(easy, OPTION_CLOSESOCKETDATA, loop);
    ccurl.easy_setopt(easy, OPTION_CLOSESOCKETFUNCTION, on_close);
    ccurl.easy_setopt(easy, OPTION_NOPROGRESS, 1L);
    ccurl.easy_setopt(easy, OPTION_NOSIGNAL, 1L);
    ccurl.easy_setopt(easy, OPTION_FOLLOWLOCATION, 0L);
    ccurl.easy_setopt(easy, OPTION_SSL_VERIFYPEER, 1L);
    ccurl.easy_setopt(easy, OPTION_SSL_VERIFYHOST, 2L);
    ccurl.easy_setopt(easy, OPTION_PROTOCOLS, (long)(PROTOCOL_HTTP | PROTOCOL_HTTPS));
    ccurl.easy_setopt(easy, OPTION_HTTP09_ALLOWED, 0L);
    ccurl.easy_setopt(easy, OPTION_PATH_AS_IS, 1L);
    ccurl.easy_setopt(easy, OPTION_SUPPRESS_CONNECT_HEADERS, 1L);
    ccurl.easy_setopt(easy, OPTION_CONNECTTIMEOUT_MS, forever);
    // Otherwise giving up a request waits for its name to be resolved. Unknown to libraries before 7.87.
    ccurl.easy_setopt(easy, OPTION_QUICK_EXIT, 1L);
    return transfer;
}

void ccurl_transfer_free(ccurl_transfer *transfer) {
    ccurl_loop_forget_news(transfer);
    ccurl.easy_cleanup(transfer->easy);
    ccurl.slist_free_all(transfer->lines);
    ccurl.slist_free_all(transfer->addresses);
    free(transfer->head.bytes);
    free(transfer->body.bytes);
    free(transfer->feed.bytes);
    free(transfer);
}

void ccurl_transfer_reset(ccurl_transfer *transfer) {
    forget(&transfer->head);
    forget(&transfer->body);
    forget(&transfer->feed);
    ccurl.easy_setopt(transfer->easy, CCURL_HTTPHEADER, NULL);
    ccurl.slist_free_all(transfer->lines);
    transfer->lines = NULL;
    transfer->context = NULL;
    transfer->fault = CCURL_FAULT_NONE;
    transfer->error[0] = 0;
    transfer->is_connected = transfer->may_repeat = transfer->expects_silence = false;
    transfer->is_stopped = false;
    transfer->opened_count = 0;
    transfer->has_head = transfer->is_in_head = false;
    transfer->status = transfer->major_version = transfer->minor_version = 0;
    transfer->header_bytes = 0;
    transfer->body_total = 0;
    transfer->holds_sender = transfer->is_holding = false;
    transfer->feed_taken = 0;
    transfer->feed_total = 0;
    transfer->feed_ended = transfer->is_starved = false;
    transfer->can_rewind = transfer->was_rewound = false;
}

int ccurl_transfer_start(ccurl_transfer *transfer) {
    int code = ccurl.multi_add_handle(transfer->loop->multi, transfer->easy);
    transfer->is_connecting = code == 0;
    if (code == 0) transfer->loop->connecting++;
    return code;
}

void ccurl_transfer_stop(ccurl_transfer *transfer) {
    // What waits inside libcurl is not freed while others use the connection: it has to come out.
    transfer->is_stopped = true;
    connects_no_more(transfer);
    if (transfer->is_holding) ccurl.easy_pause(transfer->easy, 0);
    ccurl.multi_remove_handle(transfer->loop->multi, transfer->easy);
}

void ccurl_transfer_continue(ccurl_transfer *transfer) {
    bool has_feed = transfer->feed.count > transfer->feed_taken || transfer->feed_ended;
    bool receives = transfer->is_holding && !transfer->holds_sender;
    bool sends = transfer->is_starved && has_feed;
    if (!receives && !sends) return;
    if (receives) transfer->is_holding = false;
    if (sends) transfer->is_starved = false;
    int waiting = (transfer->is_holding ? PAUSE_RECEIVING : 0) | (transfer->is_starved ? PAUSE_SENDING : 0);
    ccurl.easy_pause(transfer->easy, waiting);
}

bool ccurl_transfer_feed(ccurl_transfer *transfer, const void *bytes, size_t count) {
    ccurl_bytes *feed = &transfer->feed;
    if (transfer->feed_taken) {
        feed->count -= transfer->feed_taken;
        memmove(feed->bytes, feed->bytes + transfer->feed_taken, feed->count);
        transfer->feed_taken = 0;
    }
    return ccurl_bytes_append(feed, bytes, count);
}

void *ccurl_transfer_take_body(ccurl_transfer *transfer) {
    ccurl_bytes body = transfer->body;
    transfer->body = (ccurl_bytes){0};
    // Doubled as it grew, the buffer may be half empty.
    void *fitting = body.count ? realloc(body.bytes, body.count) : NULL;
    return fitting ? fitting : body.bytes;
}

int ccurl_set_long(ccurl_transfer *transfer, int option, long value) {
    return ccurl.easy_setopt(transfer->easy, option, value);
}

int ccurl_set_offset(ccurl_transfer *transfer, int option, int64_t value) {
    return ccurl.easy_setopt(transfer->easy, option, value);
}

int ccurl_set_text(ccurl_transfer *transfer, int option, const char *value) {
    return ccurl.easy_setopt(transfer->easy, option, value);
}

int ccurl_add_text(ccurl_transfer *transfer, int option, const char *value) {
    void **list = option == CCURL_RESOLVE ? &transfer->addresses : &transfer->lines;
    void *grown = ccurl.slist_append(*list, value);
    if (!grown) return -1;
    *list = grown;
    return ccurl.easy_setopt(transfer->easy, option, grown);
}

#endif
