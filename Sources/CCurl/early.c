// Early responses: a server refuses a request while its body is being sent, and closes (RFC 9112, section 9.5). Then
// the connection is reset, and the next write fails, while the response is still in the system's buffer.
//
// libcurl fails with the write. So it is made to read before it writes, and to send no more once an error response has
// begun. If a write has failed nevertheless, the response is read here before the socket is closed. For TLS see tls.c.

#if defined(__linux__)

#include "early.h"

#include "head.h"
#include "tls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

/// The most bytes that are read from a lost connection, and the bytes that are read at a time.
enum { MOST = 1 << 20, PORTION = 16 << 10 };

void ccurl_early_begin(ccurl_transfer *transfer, int number) {
    ccurl_socket *socket = ccurl_connections_socket(transfer->own.connections, number);
    if (!socket) return;
    ccurl_early_end(transfer);
    // The transfer before it on this connection may not have been removed yet.
    socket->sender = NULL;
    if (!transfer->has_request_body) return;
    socket->sender = transfer;
    socket->excused_writes = 0;
    transfer->own.sends_on = number + 1;
    ccurl_tls_excuse_writes(transfer, number);
}

void ccurl_early_end(ccurl_transfer *transfer) {
    if (!transfer->own.sends_on) return;
    ccurl_socket *socket = &transfer->own.connections->sockets[transfer->own.sends_on - 1];
    if (socket->sender == transfer) socket->sender = NULL;
    transfer->own.sends_on = 0;
}

/// Whether a response has begun that makes the rest of the request's body useless. Only over HTTP/1: other streams of
/// HTTP/2 continue.
static bool is_refused(const ccurl_transfer *sender) {
    if (!sender || sender->major_version != 1) return false;
    return sender->own.is_in_head || (sender->has_head && sender->status >= 300);
}

uint32_t ccurl_early_interest(const ccurl_socket *socket) {
    bool waits = socket->wanted & EPOLLIN && is_refused(socket->sender);
    return waits ? socket->wanted & ~(uint32_t)EPOLLOUT : socket->wanted;
}

uint32_t ccurl_early_order(const ccurl_socket *socket, uint32_t events) {
    if (!socket->sender || !(socket->wanted & EPOLLIN)) return events;
    bool can_read = events & (EPOLLIN | EPOLLHUP | EPOLLRDHUP | EPOLLERR);
    if (can_read) return (events | EPOLLIN) & ~(uint32_t)EPOLLOUT;
    return is_refused(socket->sender) ? 0 : events;
}

// MARK: The response on a lost connection

static bool read_all(int number, ccurl_bytes *bytes) {
    unsigned char portion[PORTION];
    while (bytes->count < MOST) {
        ssize_t count = recv(number, portion, sizeof portion, MSG_DONTWAIT);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        if (!ccurl_bytes_append(bytes, portion, (size_t)count)) return false;
    }
    return bytes->count > 0;
}

/// The length of the first line with its end; 0 if it has no end.
static size_t line_length(const char *text, size_t count) {
    const char *end = memchr(text, '\n', count);
    return end ? (size_t)(end - text) + 1 : 0;
}

/// Appends bytes to the body.
static void keep(ccurl_transfer *transfer, const char *bytes, size_t count) {
    if (!ccurl_bytes_append(&transfer->body, bytes, count)) {
        transfer->fault = CCURL_FAULT_MEMORY;
        return;
    }
    transfer->body_total += (int64_t)count;
}

/// The length of a chunk by its first line (RFC 9112, section 7.1); negative if the line is invalid.
static int64_t chunk_length(const char *line, size_t count) {
    int64_t length = 0;
    size_t digits = 0;
    for (; digits < count && digits < 8; digits++) {
        char byte = line[digits], letter = (char)(byte | 0x20);
        if (byte >= '0' && byte <= '9') length = length * 16 + byte - '0';
        else if (letter >= 'a' && letter <= 'f') length = length * 16 + letter - 'a' + 10;
        else break;
    }
    return digits && digits < count && memchr("\r\n; \t", line[digits], 5) ? length : -1;
}

static void keep_chunks(ccurl_transfer *transfer, const char *text, size_t count) {
    size_t line;
    while ((line = line_length(text, count))) {
        int64_t length = chunk_length(text, line);
        text += line, count -= line;
        if (length == 0) transfer->has_last_chunk = true;
        if (length <= 0 || (uint64_t)length > count) return;
        keep(transfer, text, (size_t)length);
        text += length, count -= (size_t)length;
        // The end of the line after the chunk.
        line = line_length(text, count);
        if (line > 2) return;
        text += line, count -= line;
    }
}

void ccurl_early_take(ccurl_socket *socket, int number) {
    ccurl_transfer *transfer = socket->sender;
    if (!transfer || transfer->is_stopped || transfer->has_head || transfer->own.is_in_head) return;
    ccurl_bytes bytes = {0};
    // Only a response of HTTP/1 from its beginning is read, neither TLS nor the rest of something else.
    if (read_all(number, &bytes) && bytes.count > 7 && memcmp(bytes.bytes, "HTTP/1.", 7) == 0) {
        const char *text = (const char *)bytes.bytes;
        size_t left = bytes.count, line;
        while (!transfer->has_head && (line = line_length(text, left))) {
            if (ccurl_on_header((char *)text, 1, line, transfer) != line) break;
            text += line, left -= line;
        }
        if (transfer->has_head && transfer->own.is_chunked) keep_chunks(transfer, text, left);
        else if (transfer->has_head) keep(transfer, text, left);
    }
    free(bytes.bytes);
}

#endif
