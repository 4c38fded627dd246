#if defined(__linux__)

#include "early.h"
#include "library.h"
#include "reuse.h"
#include "tls.h"
#include "transfer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum {
    MULTI_SOCKETFUNCTION = 20001,
    MULTI_SOCKETDATA = 10002,
    MULTI_PIPELINING = 3,
    MULTI_TIMERFUNCTION = 20004,
    MULTI_TIMERDATA = 10005,
    MULTI_MAXCONNECTS = 6,
};
enum { MULTIPLEX = 2, MESSAGE_DONE = 1, INFO_PRIVATE = 0x100000 + 21 };
enum { PAUSE_RECEIVING = 1, PAUSE_SENDING = 4 };
enum { WATCH_IN = 1, WATCH_OUT = 2, WATCH_REMOVE = 4 };
enum { HAS_IN = 1, HAS_OUT = 2, HAS_ERROR = 4, NO_SOCKET = -1 };

/// Milliseconds between looks at new connections.
enum { CONNECTING_WAIT = 100 };

/// The most times in a row that libcurl may demand to be called again at once.
enum { CALLS_IN_A_ROW = 64 };

enum { LOOP_EVENTS = 64 };

struct ccurl_loop {
    void *multi;
    int waker;
    ccurl_connections connections;
    ccurl_ready_list ready_list;
    /// Events of epoll that have not been processed.
    struct epoll_event events[LOOP_EVENTS];
    unsigned event_count;
    unsigned next_event;
    /// The time at which libcurl wants to be called, in milliseconds; 0 for at once.
    bool has_alarm;
    int64_t alarm;
};

// MARK: The waker

int ccurl_waker_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void ccurl_waker_close(int waker) {
    if (waker >= 0) close(waker);
}

void ccurl_waker_wake(int waker) {
    uint64_t one = 1;
    (void)!write(waker, &one, sizeof one);
}

// MARK: Callbacks

/// Watches a socket for the events that libcurl wants and may have now; false if that fails.
static bool watch(ccurl_loop *loop, int number) {
    uint32_t events = ccurl_early_interest(&loop->connections.sockets[number]);
    return ccurl_connections_watch(&loop->connections, number, events);
}

/// Notes whether libcurl reads: at the end of a switched connection it does not, but goes on to wait for bytes to send.
static void note_reading(void *easy, bool reads) {
    ccurl_transfer *transfer = NULL;
    ccurl.easy_getinfo(easy, INFO_PRIVATE, &transfer);
    if (!transfer || !transfer->may_switch) return;
    transfer->own.reads = reads;
    if (!reads) ccurl_ready_list_add(transfer);
}

/// libcurl changes the events that it wants of a socket.
static int on_watch(void *easy, int number, int what, void *context, void *own) {
    (void)own;
    note_reading(easy, what & WATCH_IN);
    ccurl_loop *loop = context;
    ccurl_socket *socket = ccurl_connections_socket(&loop->connections, number);
    if (!socket) return -1;
    socket->wanted = 0;
    if (what == WATCH_REMOVE) {
        if (!socket->is_ours) ccurl_connections_unwatch(&loop->connections, number);
        return 0;
    }
    if (what & WATCH_IN) socket->wanted |= EPOLLIN;
    if (what & WATCH_OUT) socket->wanted |= EPOLLOUT;
    return watch(loop, number) ? 0 : -1;
}

/// libcurl changes the one time at which it wants to be called.
static int on_alarm(void *multi, long milliseconds, void *context) {
    (void)multi;
    ccurl_loop *loop = context;
    loop->has_alarm = milliseconds >= 0;
    if (loop->has_alarm) loop->alarm = milliseconds ? ccurl_milliseconds_now() + milliseconds : 0;
    return 0;
}

// MARK: The loop

ccurl_loop *ccurl_loop_new(int waker, long connections) {
    ccurl_loop *loop = calloc(1, sizeof *loop);
    if (!loop) return NULL;
    loop->ready_list.last = &loop->ready_list.first;
    loop->multi = ccurl.multi_init();
    loop->connections.poll = epoll_create1(EPOLL_CLOEXEC);
    // Edge-triggered, so that the waker need not be read.
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = waker};
    if (!loop->multi || loop->connections.poll < 0
        || epoll_ctl(loop->connections.poll, EPOLL_CTL_ADD, waker, &event) != 0) {
        ccurl_loop_free(loop);
        return NULL;
    }
    loop->waker = waker;
    ccurl.multi_setopt(loop->multi, MULTI_PIPELINING, (long)MULTIPLEX);
    ccurl.multi_setopt(loop->multi, MULTI_MAXCONNECTS, connections);
    ccurl.multi_setopt(loop->multi, MULTI_SOCKETFUNCTION, on_watch);
    ccurl.multi_setopt(loop->multi, MULTI_SOCKETDATA, loop);
    ccurl.multi_setopt(loop->multi, MULTI_TIMERFUNCTION, on_alarm);
    ccurl.multi_setopt(loop->multi, MULTI_TIMERDATA, loop);
    return loop;
}

void ccurl_loop_free(ccurl_loop *loop) {
    ccurl_tls_enter(NULL);
    if (loop->multi) ccurl.multi_cleanup(loop->multi);
    if (loop->connections.poll >= 0) close(loop->connections.poll);
    free(loop->connections.sockets);
    free(loop);
}

static bool is_due(const ccurl_loop *loop) {
    return loop->has_alarm && (loop->alarm == 0 || loop->alarm <= ccurl_milliseconds_now());
}

void ccurl_loop_perform(ccurl_loop *loop) {
    int running;
    ccurl_tls_enter(&loop->connections);
    while (loop->next_event < loop->event_count) {
        struct epoll_event event = loop->events[loop->next_event++];
        int number = event.data.fd;
        if (number == loop->waker) continue;
        const ccurl_socket *socket = &loop->connections.sockets[number];
        if (!socket->wanted) {
            ccurl_connections_unwatch(&loop->connections, number);
            continue;
        }
        uint32_t events = ccurl_early_order(socket, event.events);
        int what = 0;
        if (events & (EPOLLIN | EPOLLHUP | EPOLLRDHUP)) what |= HAS_IN;
        if (events & EPOLLOUT) what |= HAS_OUT;
        if (events & EPOLLERR) what |= HAS_ERROR;
        if (what) ccurl.multi_socket_action(loop->multi, number, what, &running);
        if (loop->connections.sockets[number].sender) watch(loop, number);
    }
    // libcurl before 8 tries the next address of a host only when it is called, without waiting for anything.
    bool was_woken_by_time = loop->event_count == 0;
    if (loop->connections.connecting && (loop->connections.has_closed || was_woken_by_time)) {
        ccurl.multi_socket_all(loop->multi, &running);
    }
    loop->connections.has_closed = false;
    for (int calls = 0; calls < CALLS_IN_A_ROW && is_due(loop); calls++) {
        loop->has_alarm = false;
        ccurl.multi_socket_action(loop->multi, NO_SOCKET, 0, &running);
    }
}

bool ccurl_loop_wait(ccurl_loop *loop, int milliseconds) {
    if (loop->has_alarm) {
        int64_t left = loop->alarm ? loop->alarm - ccurl_milliseconds_now() : 0;
        if (left < milliseconds) milliseconds = left > 0 ? (int)left : 0;
    }
    if (loop->connections.connecting && milliseconds > CONNECTING_WAIT) milliseconds = CONNECTING_WAIT;
    if (loop->connections.connecting && loop->connections.has_closed) milliseconds = 0;
    int count = epoll_wait(loop->connections.poll, loop->events, LOOP_EVENTS, milliseconds);
    loop->event_count = count > 0 ? (unsigned)count : 0;
    loop->next_event = 0;
    return count != 0;
}

// MARK: Transfers

ccurl_transfer *ccurl_loop_new_transfer(ccurl_loop *loop) {
    ccurl_transfer *transfer = ccurl_transfer_new(&loop->ready_list);
    if (transfer) ccurl_connections_serve(&loop->connections, transfer);
    return transfer;
}

int ccurl_loop_start(ccurl_loop *loop, ccurl_transfer *transfer) {
    int code = ccurl.multi_add_handle(loop->multi, transfer->easy);
    if (code == 0) ccurl_connections_start_waiting(transfer);
    return code;
}

void ccurl_loop_stop(ccurl_loop *loop, ccurl_transfer *transfer) {
    // Bytes that are paused inside libcurl are not freed while others use the connection, so they have to be delivered.
    ccurl_tls_enter(&loop->connections);
    transfer->is_stopped = true;
    ccurl_connections_stop_waiting(transfer);
    ccurl_early_end(transfer);
    if (transfer->own.is_holding) ccurl.easy_pause(transfer->easy, 0);
    ccurl.multi_remove_handle(loop->multi, transfer->easy);
    ccurl_tls_forget(transfer);
}

/// The directions in which a transfer waits.
static int paused(const ccurl_transfer *transfer) {
    return (transfer->own.is_holding ? PAUSE_RECEIVING : 0) | (transfer->own.is_starved ? PAUSE_SENDING : 0);
}

void ccurl_loop_continue(ccurl_transfer *transfer) {
    bool has_feed = transfer->feed.count > transfer->feed_taken || transfer->feed_ended;
    bool receives = transfer->own.is_holding && !transfer->holds_sender;
    bool sends = transfer->own.is_starved && has_feed;
    if (!receives && !sends) return;
    if (receives) transfer->own.is_holding = false, transfer->own.reads = true;
    if (sends) transfer->own.is_starved = false;
    ccurl_tls_enter(transfer->own.connections);
    ccurl.easy_pause(transfer->easy, paused(transfer));
}

void ccurl_loop_reread(ccurl_transfer *transfer) {
    // A direction that is paused and resumed has libcurl look at the transfer. Receiving cannot be resumed while the
    // receiver has no room, and need not be: libcurl keeps the bytes, and goes on to those of other transfers.
    int kept = paused(transfer);
    int toggled = transfer->own.is_holding ? PAUSE_SENDING : PAUSE_RECEIVING;
    ccurl_tls_enter(transfer->own.connections);
    ccurl.easy_pause(transfer->easy, kept ^ toggled);
    ccurl.easy_pause(transfer->easy, kept);
}

ccurl_transfer *ccurl_loop_next_ready(ccurl_loop *loop) { return ccurl_ready_list_take(&loop->ready_list); }

ccurl_transfer *ccurl_loop_next_done(ccurl_loop *loop, int *code) {
    int left;
    ccurl_message *message;
    while ((message = ccurl.multi_info_read(loop->multi, &left))) {
        if (message->message != MESSAGE_DONE) continue;
        ccurl_transfer *transfer = NULL;
        *code = message->data.result;
        ccurl.easy_getinfo(message->easy, INFO_PRIVATE, &transfer);
        if (ccurl_connections_allow_restart(transfer)) {
            ccurl_loop_stop(loop, transfer);
            transfer->is_stopped = false;
            if (ccurl_loop_start(loop, transfer) == 0) continue;
        }
        if (*code == 0 && ccurl_tls_is_truncated(transfer)) transfer->fault = CCURL_FAULT_TRUNCATED;
        return transfer;
    }
    return NULL;
}

#endif
