#if defined(__linux__)

#include "library.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
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
enum { WATCH_IN = 1, WATCH_OUT = 2, WATCH_REMOVE = 4 };
enum { HAS_IN = 1, HAS_OUT = 2, HAS_ERROR = 4, NO_SOCKET = -1 };

/// Milliseconds after which connections that are being made are looked at.
enum { CONNECTING_WAIT = 100 };

/// Times in a row that libcurl may ask to be called again at once.
enum { CALLS_IN_A_ROW = 64 };

// MARK: Threads

typedef struct {
    void (*body)(void *);
    void *context;
} ccurl_thread;

static void *run_thread(void *context) {
    ccurl_thread thread = *(ccurl_thread *)context;
    free(context);
    prctl(PR_SET_NAME, "HTTPTransport");
    thread.body(thread.context);
    return NULL;
}

bool ccurl_thread_start(void (*body)(void *), void *context) {
    ccurl_thread *thread = malloc(sizeof *thread);
    if (!thread) return false;
    *thread = (ccurl_thread){body, context};
    pthread_t started;
    if (pthread_create(&started, NULL, run_thread, thread) != 0) {
        free(thread);
        return false;
    }
    pthread_detach(started);
    return true;
}

// MARK: The waker

int ccurl_waker_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void ccurl_waker_close(int waker) {
    if (waker >= 0) close(waker);
}

void ccurl_waker_wake(int waker) {
    uint64_t one = 1;
    (void)!write(waker, &one, sizeof one);
}

// MARK: What libcurl waits for

static int64_t milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static ccurl_socket *socket_at(ccurl_loop *loop, int number) {
    if (number < 0) return NULL;
    if ((size_t)number >= loop->socket_count) {
        size_t count = loop->socket_count ? loop->socket_count : 64;
        while (count <= (size_t)number) count *= 2;
        ccurl_socket *grown = realloc(loop->sockets, count * sizeof *grown);
        if (!grown) return NULL;
        memset(grown + loop->socket_count, 0, (count - loop->socket_count) * sizeof *grown);
        loop->sockets = grown;
        loop->socket_count = count;
    }
    return &loop->sockets[number];
}

static unsigned place_of(int local_port, int remote_port, uint32_t remote_host) {
    return (remote_host ^ (unsigned)local_port * 31 ^ (unsigned)remote_port * 131) % LOOP_PLACES;
}

bool ccurl_loop_meet(ccurl_loop *loop, int number) {
    ccurl_socket *socket = socket_at(loop, number);
    if (!socket) return false;
    ccurl_loop_forget(loop, number);
    socket->is_ours = true;
    return true;
}

void ccurl_loop_know(ccurl_loop *loop, int number, int local_port, int remote_port, uint32_t remote_host) {
    ccurl_socket *socket = socket_at(loop, number);
    if (!socket || socket->local_port) return;
    int *first = &loop->known[place_of(local_port, remote_port, remote_host)];
    socket->local_port = local_port;
    socket->remote_port = remote_port;
    socket->remote_host = remote_host;
    socket->next_known = *first;
    *first = number + 1;
}

int ccurl_loop_find(const ccurl_loop *loop, int local_port, int remote_port, uint32_t remote_host) {
    int next = loop->known[place_of(local_port, remote_port, remote_host)];
    while (next) {
        const ccurl_socket *socket = &loop->sockets[next - 1];
        if (socket->local_port == local_port && socket->remote_port == remote_port
            && socket->remote_host == remote_host) {
            return next - 1;
        }
        next = socket->next_known;
    }
    return -1;
}

void ccurl_loop_forget(ccurl_loop *loop, int number) {
    if (number < 0 || (size_t)number >= loop->socket_count) return;
    ccurl_socket *socket = &loop->sockets[number];
    // A forked process may keep the socket alive, and with it what is heard of it.
    if (socket->watched) epoll_ctl(loop->poll, EPOLL_CTL_DEL, number, NULL);
    if (socket->local_port) {
        int *link = &loop->known[place_of(socket->local_port, socket->remote_port, socket->remote_host)];
        while (*link && *link != number + 1) link = &loop->sockets[*link - 1].next_known;
        if (*link) *link = socket->next_known;
    }
    *socket = (ccurl_socket){0};
}

static void unwatch(ccurl_loop *loop, int number) {
    epoll_ctl(loop->poll, EPOLL_CTL_DEL, number, NULL);
    loop->sockets[number].watched = 0;
}

/// libcurl wants to hear of a socket, or no longer.
static int on_watch(void *easy, int number, int what, void *context, void *own) {
    (void)easy, (void)own;
    ccurl_loop *loop = context;
    ccurl_socket *socket = socket_at(loop, number);
    if (!socket) return -1;
    socket->is_wanted = what != WATCH_REMOVE;
    if (!socket->is_wanted) {
        if (!socket->is_ours) unwatch(loop, number);
        return 0;
    }
    struct epoll_event event = {.data.fd = number};
    if (what & WATCH_IN) event.events |= EPOLLIN;
    if (what & WATCH_OUT) event.events |= EPOLLOUT;
    if (event.events == socket->watched) return 0;
    int result = -1;
    if (socket->watched) result = epoll_ctl(loop->poll, EPOLL_CTL_MOD, number, &event);
    if (result != 0) result = epoll_ctl(loop->poll, EPOLL_CTL_ADD, number, &event);
    socket->watched = result == 0 ? event.events : 0;
    return result;
}

/// libcurl wants to be called at a time; there is one such time, and the last word counts.
static int on_alarm(void *multi, long milliseconds, void *context) {
    (void)multi;
    ccurl_loop *loop = context;
    loop->has_alarm = milliseconds >= 0;
    if (loop->has_alarm) loop->alarm = milliseconds ? milliseconds_now() + milliseconds : 0;
    return 0;
}

// MARK: The loop

ccurl_loop *ccurl_loop_new(int waker, long connections) {
    ccurl_loop *loop = calloc(1, sizeof *loop);
    if (!loop) return NULL;
    loop->last_news = &loop->first_news;
    loop->multi = ccurl.multi_init();
    loop->poll = epoll_create1(EPOLL_CLOEXEC);
    // Each wake is an edge, so that nobody has to read it away.
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = waker};
    if (!loop->multi || loop->poll < 0
        || epoll_ctl(loop->poll, EPOLL_CTL_ADD, waker, &event) != 0) {
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
    if (loop->multi) ccurl.multi_cleanup(loop->multi);
    if (loop->poll >= 0) close(loop->poll);
    free(loop->sockets);
    free(loop);
}

static bool is_due(const ccurl_loop *loop) {
    return loop->has_alarm && (loop->alarm == 0 || loop->alarm <= milliseconds_now());
}

void ccurl_loop_perform(ccurl_loop *loop) {
    int running;
    while (loop->next_event < loop->event_count) {
        struct epoll_event event = loop->events[loop->next_event++];
        int number = event.data.fd;
        if (number == loop->waker) continue;
        if (!loop->sockets[number].is_wanted) {
            unwatch(loop, number);
            continue;
        }
        int what = 0;
        if (event.events & (EPOLLIN | EPOLLHUP | EPOLLRDHUP)) what |= HAS_IN;
        if (event.events & EPOLLOUT) what |= HAS_OUT;
        if (event.events & EPOLLERR) what |= HAS_ERROR;
        ccurl.multi_socket_action(loop->multi, number, what, &running);
    }
    // libcurl before 8 goes on to the next address of a host only when somebody asks, though it waits for nothing.
    if (loop->connecting && (loop->has_closed || loop->event_count == 0)) {
        ccurl.multi_socket_all(loop->multi, &running);
    }
    loop->has_closed = false;
    for (int calls = 0; calls < CALLS_IN_A_ROW && is_due(loop); calls++) {
        loop->has_alarm = false;
        ccurl.multi_socket_action(loop->multi, NO_SOCKET, 0, &running);
    }
}

void ccurl_loop_wait(ccurl_loop *loop, int milliseconds) {
    if (loop->has_alarm) {
        int64_t left = loop->alarm ? loop->alarm - milliseconds_now() : 0;
        if (left < milliseconds) milliseconds = left > 0 ? (int)left : 0;
    }
    if (loop->connecting && milliseconds > CONNECTING_WAIT) milliseconds = CONNECTING_WAIT;
    if (loop->connecting && loop->has_closed) milliseconds = 0;
    int count = epoll_wait(loop->poll, loop->events, LOOP_EVENTS, milliseconds);
    loop->event_count = count > 0 ? (unsigned)count : 0;
    loop->next_event = 0;
}

void ccurl_loop_add_news(ccurl_transfer *transfer) {
    if (transfer->has_news) return;
    transfer->has_news = true;
    transfer->next_news = NULL;
    *transfer->loop->last_news = transfer;
    transfer->loop->last_news = &transfer->next_news;
}

void ccurl_loop_forget_news(ccurl_transfer *transfer) {
    ccurl_loop *loop = transfer->loop;
    loop->last_news = &loop->first_news;
    for (ccurl_transfer **link = &loop->first_news; *link;) {
        if (*link == transfer) {
            *link = transfer->next_news;
        } else {
            link = loop->last_news = &(*link)->next_news;
        }
    }
    transfer->has_news = false;
}

ccurl_transfer *ccurl_loop_next_news(ccurl_loop *loop) {
    ccurl_transfer *transfer = loop->first_news;
    if (!transfer) return NULL;
    loop->first_news = transfer->next_news;
    if (!loop->first_news) loop->last_news = &loop->first_news;
    transfer->has_news = false;
    return transfer;
}

ccurl_transfer *ccurl_loop_next_done(ccurl_loop *loop, int *code) {
    int left;
    ccurl_message *message;
    while ((message = ccurl.multi_info_read(loop->multi, &left))) {
        if (message->message != MESSAGE_DONE) continue;
        ccurl_transfer *transfer = NULL;
        *code = message->data.result;
        ccurl.easy_getinfo(message->easy, INFO_PRIVATE, &transfer);
        if (transfer->fault != CCURL_FAULT_STALE) return transfer;
        // The connection is closed now, so that there is one less to choose from each time.
        ccurl_transfer_stop(transfer);
        transfer->is_stopped = false;
        transfer->fault = CCURL_FAULT_NONE;
        transfer->error[0] = 0;
        transfer->is_connected = false;
        if (ccurl_transfer_start(transfer) != 0) return transfer;
    }
    return NULL;
}

#endif
