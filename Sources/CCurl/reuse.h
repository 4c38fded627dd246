// The connections of a loop: which are being made, which are kept, and what may be sent again when a kept one is lost.

#ifndef CCURL_REUSE_H
#define CCURL_REUSE_H

#include "transfer.h"

/// What is known of a socket, by its number.
typedef struct {
    /// Whether it was made for a connection; what libcurl makes for itself it closes without a word.
    bool is_ours;
    /// Of a connection that has carried a request, where it leads from and to; and the next with the same place in the
    /// table.
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

enum { KNOWN_PLACES = 1024 };

typedef struct ccurl_connections {
    /// What is asked about all sockets at once (epoll(7)).
    int poll;
    /// Transfers that have no connection yet, and whether a socket was closed since they were looked at.
    unsigned connecting;
    bool has_closed;
    ccurl_socket *sockets;
    size_t socket_count;
    /// The numbers of the sockets that connections are known by, each one more, by where they lead.
    int known[KNOWN_PLACES];
    /// The transfers that listen for the end of TLS.
    ccurl_transfer *listening;
} ccurl_connections;

/// What is known of a socket; NULL without memory.
ccurl_socket *ccurl_connections_socket(ccurl_connections *connections, int number);

/// Stops watching a socket.
void ccurl_connections_unwatch(ccurl_connections *connections, int number);

/// Has the connections hear of the sockets that a transfer opens and closes, and of requests that are about to be sent.
void ccurl_connections_serve(ccurl_connections *connections, ccurl_transfer *transfer);

/// A transfer waits for a connection, or no longer.
void ccurl_connections_await(ccurl_transfer *transfer);
void ccurl_connections_await_no_more(ccurl_transfer *transfer);

/// Whether a transfer that is over is to be started again: it met a stale connection, which is closed now. If so, forgets
/// that it was over.
bool ccurl_connections_allow_restart(ccurl_transfer *transfer);

#endif
