#if defined(__linux__)

#include "connections.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

ccurl_socket *ccurl_connections_socket(ccurl_connections *connections, int number) {
    if (number < 0) return NULL;
    if ((size_t)number >= connections->socket_count) {
        size_t count = connections->socket_count ? connections->socket_count : 64;
        while (count <= (size_t)number) count *= 2;
        ccurl_socket *grown = realloc(connections->sockets, count * sizeof *grown);
        if (!grown) return NULL;
        memset(grown + connections->socket_count, 0, (count - connections->socket_count) * sizeof *grown);
        connections->sockets = grown;
        connections->socket_count = count;
    }
    return &connections->sockets[number];
}

bool ccurl_connections_watch(ccurl_connections *connections, int number, uint32_t events) {
    ccurl_socket *socket = &connections->sockets[number];
    struct epoll_event event = {.events = events, .data.fd = number};
    if (events == socket->watched || !socket->wanted) return true;
    int result = -1;
    if (socket->watched) result = epoll_ctl(connections->poll, EPOLL_CTL_MOD, number, &event);
    if (result != 0) result = epoll_ctl(connections->poll, EPOLL_CTL_ADD, number, &event);
    socket->watched = result == 0 ? events : 0;
    return result == 0;
}

void ccurl_connections_unwatch(ccurl_connections *connections, int number) {
    epoll_ctl(connections->poll, EPOLL_CTL_DEL, number, NULL);
    connections->sockets[number].watched = 0;
}

static int *bucket_of(ccurl_connections *connections, int local_port, int remote_port, uint32_t remote_host) {
    unsigned hash = remote_host ^ (unsigned)local_port * 31 ^ (unsigned)remote_port * 131;
    return &connections->known[hash % KNOWN_BUCKETS];
}

void ccurl_connections_add(ccurl_connections *connections, int number, int local_port, int remote_port,
                           uint32_t remote_host) {
    ccurl_socket *socket = ccurl_connections_socket(connections, number);
    if (!socket || socket->local_port) return;
    int *first = bucket_of(connections, local_port, remote_port, remote_host);
    socket->local_port = local_port;
    socket->remote_port = remote_port;
    socket->remote_host = remote_host;
    socket->next_known = *first;
    *first = number + 1;
}

int ccurl_connections_find(ccurl_connections *connections, int local_port, int remote_port, uint32_t remote_host) {
    int next = *bucket_of(connections, local_port, remote_port, remote_host);
    while (next) {
        const ccurl_socket *socket = &connections->sockets[next - 1];
        if (socket->local_port == local_port && socket->remote_port == remote_port
            && socket->remote_host == remote_host) {
            return next - 1;
        }
        next = socket->next_known;
    }
    return -1;
}

void ccurl_connections_forget(ccurl_connections *connections, int number) {
    if (number < 0 || (size_t)number >= connections->socket_count) return;
    ccurl_socket *socket = &connections->sockets[number];
    // A forked process may keep the socket open, and epoll would report its events.
    if (socket->watched) epoll_ctl(connections->poll, EPOLL_CTL_DEL, number, NULL);
    if (socket->local_port) {
        int *link = bucket_of(connections, socket->local_port, socket->remote_port, socket->remote_host);
        while (*link && *link != number + 1) link = &connections->sockets[*link - 1].next_known;
        if (*link) *link = socket->next_known;
    }
    *socket = (ccurl_socket){0};
}

#endif
