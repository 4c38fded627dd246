// The sockets of a loop, by their numbers and by the ends of their connections.

#ifndef CCURL_CONNECTIONS_H
#define CCURL_CONNECTIONS_H

#include "ccurl.h"

/// A socket, by its number.
typedef struct {
    /// Whether it was created for a connection. libcurl closes its internal sockets without calling on_close.
    bool is_ours;
    /// The two ends of a connection that has carried a request, and the next socket in the same bucket.
    int local_port;
    int remote_port;
    uint32_t remote_host;
    int next_known;
    /// The transfer that sends a request's body on it; NULL without one.
    ccurl_transfer *sender;
    /// Failed writes that were reported as writes that would block: see tls.c.
    int excused_writes;
    /// The time from which a request is the last one on it, in milliseconds; 0 for none.
    int64_t retires_at;
    /// The events that libcurl wants, and those that are watched (epoll(7)). Events that libcurl does not want any more
    /// are watched until one happens, since a kept connection is used again soon.
    uint32_t wanted;
    uint32_t watched;
} ccurl_socket;

enum { KNOWN_BUCKETS = 1024 };

typedef struct ccurl_connections {
    /// The epoll(7) descriptor of all sockets.
    int poll;
    /// The number of transfers without a connection, and whether a socket was closed since they were last processed.
    unsigned connecting;
    bool has_closed;
    ccurl_socket *sockets;
    size_t socket_count;
    /// A hash table of connected sockets by their ends: numbers plus one.
    int known[KNOWN_BUCKETS];
    /// The transfers that listen for a close_notify.
    ccurl_transfer *listening;
} ccurl_connections;

/// The entry of a socket; NULL without memory.
ccurl_socket *ccurl_connections_socket(ccurl_connections *connections, int number);

/// Watches a socket for these events, if libcurl wants any; false if that fails.
bool ccurl_connections_watch(ccurl_connections *connections, int number, uint32_t events);

/// Stops watching a socket.
void ccurl_connections_unwatch(ccurl_connections *connections, int number);

/// Adds a connected socket to the table.
void ccurl_connections_add(ccurl_connections *connections, int number, int local_port, int remote_port,
                           uint32_t remote_host);

/// The socket of a connection between these ends; negative without one.
int ccurl_connections_find(ccurl_connections *connections, int local_port, int remote_port, uint32_t remote_host);

/// Removes a closed socket.
void ccurl_connections_forget(ccurl_connections *connections, int number);

#endif
