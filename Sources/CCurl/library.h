// libcurl's functions, as their documentation declares them.

#ifndef CCURL_LIBRARY_H
#define CCURL_LIBRARY_H

#include "ccurl.h"

#include <sys/epoll.h>

typedef struct {
    int message;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
} ccurl_message;

typedef struct {
    void *(*easy_init)(void);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    int (*easy_pause)(void *, int);
    void (*easy_cleanup)(void *);
    const char *(*easy_strerror)(int);
    void *(*multi_init)(void);
    int (*multi_setopt)(void *, int, ...);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_socket_action)(void *, int, int, int *);
    int (*multi_assign)(void *, int, void *);
    ccurl_message *(*multi_info_read)(void *, int *);
    int (*multi_cleanup)(void *);
    void *(*slist_append)(void *, const char *);
    void (*slist_free_all)(void *);
} ccurl_functions;

extern ccurl_functions ccurl;

/// A connection's socket, and where it leads from and to.
typedef struct {
    int socket;
    int local_port;
    int remote_port;
    uint32_t remote_host;
} ccurl_known_socket;

enum { KNOWN_SOCKETS = 4096, KNOWN_SOCKET_PLACES = 8, LOOP_EVENTS = 64 };

struct ccurl_loop {
    void *multi;
    int waker;
    /// What is asked about all sockets at once (epoll(7)), and what it has said and nobody has looked at.
    int poll;
    struct epoll_event events[LOOP_EVENTS];
    unsigned event_count;
    unsigned next_event;
    /// When libcurl wants to be called, in milliseconds; 0 for at once.
    bool has_alarm;
    int64_t alarm;
    ccurl_transfer *first_news;
    ccurl_transfer **last_news;
    /// The sockets of the connections that have been made. What is closed stays until its place is needed.
    ccurl_known_socket *sockets;
};

void ccurl_loop_add_news(ccurl_transfer *transfer);
void ccurl_loop_forget_news(ccurl_transfer *transfer);

#endif
