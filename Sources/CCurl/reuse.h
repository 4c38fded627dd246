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
    /// The transfer that sends a request's body on it; NULL if none does.
    ccurl_transfer *sender;
    /// Writes that have failed and were taken for ones that would block: see tls.c.
    int excused_writes;
    /// What libcurl wants to hear of it, and what it is watched for (epoll(7)); 0 for nothing. What libcurl does not want is
    /// still watched until something happens, since a kept connection is wanted again soon.
    uint32_t wanted;
    uint32_t watched;
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

/// Watches a socket for what libcurl wants to hear of it, and may now; false if that fails.
bool ccurl_connections_watch(ccurl_connections *connections, int number);

/// Has the connections hear of the sockets that a transfer opens and closes, and of requests that are about to be sent.
void ccurl_connections_serve(ccurl_connections *connections, ccurl_transfer *transfer);

/// A transfer waits for a connection, or no longer.
void ccurl_connections_await(ccurl_transfer *transfer);
void ccurl_connections_await_no_more(ccurl_transfer *transfer);

/// Whether a transfer that is over is to be started again: it met a stale connection, which is closed now. If so, forgets
/// that it was over.
bool ccurl_connections_allow_restart(ccurl_transfer *transfer);

// MARK: Early answers (early.c)

/// A transfer is about to send its request on a socket, with a body or without.
void ccurl_early_begin(ccurl_transfer *transfer, int number);

/// The transfer sends no more.
void ccurl_early_end(ccurl_transfer *transfer);

/// What a socket is to be watched for of what libcurl wants to hear: nothing is sent once an error response has begun.
uint32_t ccurl_early_interest(const ccurl_socket *socket);

/// What libcurl is to hear of what a socket is ready for: what has come is read before more is sent.
uint32_t ccurl_early_order(const ccurl_socket *socket, uint32_t events);

/// A socket is about to be closed: takes the answer that it may hold unread.
void ccurl_early_take(ccurl_socket *socket, int number);

/// Has a write that fails, while there is something to be read, wait until that has been read.
void ccurl_tls_excuse_writes(ccurl_transfer *transfer, int number);

#endif
