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
    int (*multi_socket_all)(void *, int *);
    int (*multi_socket_action)(void *, int, int, int *);
    int (*multi_assign)(void *, int, void *);
    ccurl_message *(*multi_info_read)(void *, int *);
    int (*multi_cleanup)(void *);
    void *(*slist_append)(void *, const char *);
    void (*slist_free_all)(void *);
} ccurl_functions;

extern ccurl_functions ccurl;

/// What is known of a socket, by its number.
typedef struct {
    /// Whether it was made for a connection; what libcurl makes for itself it closes without a word.
    bool is_ours;
    /// Of a connection that has carried an exchange, where it leads from and to; and the next with the same place in
    /// the loop's table.
    int local_port;
    int remote_port;
    uint32_t remote_host;
    int next_known;
    /// What it is watched for (epoll(7)); 0 if it is not.
    uint32_t watched;
    /// Whether libcurl wants to hear of it. What it does not is still watched until something happens, since a kept
    /// connection is wanted again soon.
    bool is_wanted;
} ccurl_socket;

enum { LOOP_EVENTS = 64, LOOP_PLACES = 1024 };

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
    /// Transfers that have no connection yet, and whether a socket was closed since they were looked at.
    unsigned connecting;
    bool has_closed;
    int64_t alarm;
    ccurl_transfer *first_news;
    ccurl_transfer **last_news;
    ccurl_socket *sockets;
    size_t socket_count;
    /// The numbers of the sockets that connections are known by, each one more, by where they lead.
    int known[LOOP_PLACES];
};

/// Makes room for what is known of a socket that was just made; false without memory.
bool ccurl_loop_meet(ccurl_loop *loop, int socket);

/// Notes where the socket's connection leads.
void ccurl_loop_know(ccurl_loop *loop, int socket, int local_port, int remote_port, uint32_t remote_host);

/// The socket of a connection that leads there; negative if there is none.
int ccurl_loop_find(const ccurl_loop *loop, int local_port, int remote_port, uint32_t remote_host);

/// Forgets a socket that is closed.
void ccurl_loop_forget(ccurl_loop *loop, int socket);

void ccurl_loop_add_news(ccurl_transfer *transfer);
void ccurl_loop_forget_news(ccurl_transfer *transfer);

#endif
