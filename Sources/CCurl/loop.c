#if defined(__linux__)

#include "library.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { MULTI_PIPELINING = 3, MULTI_MAXCONNECTS = 6, MULTIPLEX = 2 };
enum { MESSAGE_DONE = 1, INFO_PRIVATE = 0x100000 + 21, WAIT_IN = 1 };

int ccurl_waker_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void ccurl_waker_close(int waker) {
    if (waker >= 0) close(waker);
}

void ccurl_waker_wake(int waker) {
    uint64_t one = 1;
    (void)!write(waker, &one, sizeof one);
}

ccurl_loop *ccurl_loop_new(int waker, long connections) {
    ccurl_loop *loop = calloc(1, sizeof *loop);
    if (loop) loop->sockets = calloc(KNOWN_SOCKETS, sizeof *loop->sockets);
    void *multi = loop && loop->sockets ? ccurl.multi_init() : NULL;
    if (!multi) {
        if (loop) free(loop->sockets);
        free(loop);
        return NULL;
    }
    loop->multi = multi;
    loop->waker = waker;
    loop->last_news = &loop->first_news;
    ccurl.multi_setopt(multi, MULTI_PIPELINING, (long)MULTIPLEX);
    ccurl.multi_setopt(multi, MULTI_MAXCONNECTS, connections);
    return loop;
}

void ccurl_loop_free(ccurl_loop *loop) {
    ccurl.multi_cleanup(loop->multi);
    free(loop->sockets);
    free(loop);
}

int ccurl_loop_perform(ccurl_loop *loop) {
    int running;
    return ccurl.multi_perform(loop->multi, &running);
}

void ccurl_loop_wait(ccurl_loop *loop, int milliseconds) {
    ccurl_wait_descriptor waker = {loop->waker, WAIT_IN, 0};
    ccurl.multi_poll(loop->multi, &waker, 1, milliseconds, NULL);
    if (waker.revents) {
        uint64_t count;
        (void)!read(loop->waker, &count, sizeof count);
    }
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
        transfer->fault = CCURL_FAULT_NONE;
        transfer->error[0] = 0;
        transfer->is_connected = false;
        if (ccurl_transfer_start(transfer) != 0) return transfer;
    }
    return NULL;
}

#endif
