#if defined(__linux__)

#include "transfer.h"

#include "head.h"
#include "library.h"

#include <stdlib.h>
#include <string.h>

enum {
    OPTION_WRITEDATA = 10001,
    OPTION_READDATA = 10009,
    OPTION_ERRORBUFFER = 10010,
    OPTION_WRITEFUNCTION = 20011,
    OPTION_READFUNCTION = 20012,
    OPTION_HEADERDATA = 10029,
    OPTION_HEADER = 42,
    OPTION_NOPROGRESS = 43,
    OPTION_FOLLOWLOCATION = 52,
    OPTION_SSL_VERIFYPEER = 64,
    OPTION_HEADERFUNCTION = 20079,
    OPTION_SSL_VERIFYHOST = 81,
    OPTION_NOSIGNAL = 99,
    OPTION_PRIVATE = 10103,
    OPTION_CONNECTTIMEOUT_MS = 156,
    OPTION_SEEKFUNCTION = 20167,
    OPTION_SEEKDATA = 10168,
    OPTION_PROTOCOLS = 181,
    OPTION_PATH_AS_IS = 234,
    OPTION_SUPPRESS_CONNECT_HEADERS = 265,
    OPTION_HTTP09_ALLOWED = 285,
    OPTION_QUICK_EXIT = 322,
};

enum { PROTOCOL_HTTP = 1, PROTOCOL_HTTPS = 2 };
enum { WRITE_PAUSE = 0x10000001, READ_PAUSE = 0x10000001 };
enum { SEEK_OK = 0, SEEK_FAIL = 1 };

/// The most received bytes of a transfer that wait to be taken.
enum { BODY_ROOM = 256 << 10 };

/// libcurl's own time limit, which must not come first.
static const long forever = 0x7fffffff;

/// Empties the buffer, and frees it if it is large.
static void empty(ccurl_bytes *buffer) {
    buffer->count = 0;
    if (buffer->capacity <= 64 << 10) return;
    free(buffer->bytes);
    *buffer = (ccurl_bytes){0};
}

// MARK: The bodies

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
    ccurl_transfer *transfer = context;
    size_t length = size * count;
    if (transfer->is_stopped) return length;
    if (!transfer->has_head) return ccurl_head_check(transfer, bytes, length);
    ccurl_ready_list_add(transfer);
    if (transfer->holds_sender || transfer->body.count >= BODY_ROOM) {
        transfer->own.is_holding = true;
        return WRITE_PAUSE;
    }
    if (!ccurl_bytes_append(&transfer->body, bytes, length)) return ccurl_fail(transfer, CCURL_FAULT_MEMORY);
    transfer->body_total += (int64_t)length;
    return length;
}

static size_t on_read(char *buffer, size_t size, size_t count, void *context) {
    ccurl_transfer *transfer = context;
    size_t room = size * count;
    size_t left = transfer->feed.count - transfer->feed_taken;
    if (left == 0) {
        if (transfer->feed_ended) return 0;
        transfer->own.is_starved = true;
        ccurl_ready_list_add(transfer);
        return READ_PAUSE;
    }
    size_t length = left < room ? left : room;
    memcpy(buffer, transfer->feed.bytes + transfer->feed_taken, length);
    transfer->feed_taken += length;
    transfer->feed_total += (int64_t)length;
    ccurl_ready_list_add(transfer);
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
    ccurl_ready_list_add(transfer);
    return SEEK_OK;
}

// MARK: Life

ccurl_transfer *ccurl_transfer_new(ccurl_ready_list *list) {
    ccurl_transfer *transfer = calloc(1, sizeof *transfer);
    void *easy = transfer ? ccurl.easy_init() : NULL;
    if (!easy) {
        free(transfer);
        return NULL;
    }
    transfer->easy = easy;
    transfer->own.ready_list = list;
    ccurl.easy_setopt(easy, OPTION_PRIVATE, transfer);
    ccurl.easy_setopt(easy, OPTION_ERRORBUFFER, transfer->error);
    ccurl.easy_setopt(easy, OPTION_WRITEDATA, transfer);
    ccurl.easy_setopt(easy, OPTION_WRITEFUNCTION, on_body);
    // This sends the lines of heads to on_body as well, before ccurl_on_header.
    ccurl.easy_setopt(easy, OPTION_HEADER, ccurl_quirk_dangling_field() ? 1L : 0L);
    ccurl.easy_setopt(easy, OPTION_HEADERDATA, transfer);
    ccurl.easy_setopt(easy, OPTION_HEADERFUNCTION, ccurl_on_header);
    ccurl.easy_setopt(easy, OPTION_READDATA, transfer);
    ccurl.easy_setopt(easy, OPTION_READFUNCTION, on_read);
    ccurl.easy_setopt(easy, OPTION_SEEKDATA, transfer);
    ccurl.easy_setopt(easy, OPTION_SEEKFUNCTION, on_seek);
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
    // Without it, ending a request waits for the resolution of its name. Unknown before 7.87.
    ccurl.easy_setopt(easy, OPTION_QUICK_EXIT, 1L);
    return transfer;
}

void ccurl_transfer_free(ccurl_transfer *transfer) {
    ccurl_ready_list_forget(transfer);
    ccurl.easy_cleanup(transfer->easy);
    ccurl.slist_free_all(transfer->own.lines);
    ccurl.slist_free_all(transfer->own.addresses);
    free(transfer->own.line_text.bytes);
    free(transfer->head.bytes);
    free(transfer->body.bytes);
    free(transfer->feed.bytes);
    free(transfer);
}

void ccurl_transfer_reset(ccurl_transfer *transfer) {
    ccurl_ready_list_forget(transfer);
    empty(&transfer->head);
    empty(&transfer->body);
    empty(&transfer->feed);
    struct ccurl_callbacks own = {
        .ready_list = transfer->own.ready_list, .connections = transfer->own.connections, .lines = transfer->own.lines,
        .line_text = transfer->own.line_text, .addresses = transfer->own.addresses};
    ccurl_transfer fresh = {
        .easy = transfer->easy, .may_connect = transfer->may_connect, .head = transfer->head, .body = transfer->body,
        .feed = transfer->feed, .own = own};
    *transfer = fresh;
}

bool ccurl_transfer_times(ccurl_transfer *transfer, ccurl_times *times) {
    if (!transfer->is_connected) return false;
    long connections = 0;
    *times = (ccurl_times){0};
    ccurl.easy_getinfo(transfer->easy, CCURL_INFO_NUM_CONNECTS, &connections);
    ccurl.easy_getinfo(transfer->easy, CCURL_INFO_NAMELOOKUP_TIME, &times->name_lookup);
    ccurl.easy_getinfo(transfer->easy, CCURL_INFO_CONNECT_TIME, &times->connect);
    ccurl.easy_getinfo(transfer->easy, CCURL_INFO_APPCONNECT_TIME, &times->tls);
    ccurl.easy_getinfo(transfer->easy, CCURL_INFO_PRIMARY_IP, &times->address);
    ccurl.easy_getinfo(transfer->easy, CCURL_INFO_PRIMARY_PORT, &times->port);
    times->is_reused = connections == 0;
    return true;
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

bool ccurl_transfer_has_hung_up(const ccurl_transfer *transfer) {
    // Before the head, libcurl asks for bytes to send as soon as it has sent the request, and then reads.
    bool has_asked = transfer->has_head || transfer->own.is_starved;
    return has_asked && !transfer->own.reads && !transfer->own.is_holding;
}

void *ccurl_transfer_take_body(ccurl_transfer *transfer) {
    ccurl_bytes body = transfer->body;
    transfer->body = (ccurl_bytes){0};
    // The capacity doubles as it grows, so that the buffer may be half empty.
    void *fitting = body.count ? realloc(body.bytes, body.count) : NULL;
    return fitting ? fitting : body.bytes;
}

#endif
