// The connections of a loop: new ones, kept ones, and what may be sent again when a kept one is lost.

#ifndef CCURL_REUSE_H
#define CCURL_REUSE_H

#include "transfer.h"

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

/// The time of a monotonic clock in milliseconds.
int64_t ccurl_milliseconds_now(void);

/// The entry of a socket; NULL without memory.
ccurl_socket *ccurl_connections_socket(ccurl_connections *connections, int number);

/// Stops watching a socket.
void ccurl_connections_unwatch(ccurl_connections *connections, int number);

/// Watches a socket for the events that libcurl wants and may have now; false if that fails.
bool ccurl_connections_watch(ccurl_connections *connections, int number);

/// Installs the callbacks for sockets that a transfer opens and closes, and for requests that are about to be sent.
void ccurl_connections_serve(ccurl_connections *connections, ccurl_transfer *transfer);

/// A transfer starts or stops waiting for a connection.
void ccurl_connections_start_waiting(ccurl_transfer *transfer);
void ccurl_connections_stop_waiting(ccurl_transfer *transfer);

/// Whether to restart a transfer that has ended because of a stale connection, which is closed now. If so, resets its
/// end.
bool ccurl_connections_allow_restart(ccurl_transfer *transfer);

// MARK: Early responses (early.c)

/// A transfer is about to send its request on a socket, with a body or without.
void ccurl_early_begin(ccurl_transfer *transfer, int number);

/// The transfer sends no more.
void ccurl_early_end(ccurl_transfer *transfer);

/// The events that a socket is watched for, of those that libcurl wants: nothing is sent once an error response has
/// begun.
uint32_t ccurl_early_interest(const ccurl_socket *socket);

/// The events to report to libcurl, of those that a socket is ready for: it reads before it writes.
uint32_t ccurl_early_order(const ccurl_socket *socket, uint32_t events);

/// A socket is about to be closed: reads the response that it may hold.
void ccurl_early_take(ccurl_socket *socket, int number);

/// Has a failed write wait while there is something to read.
void ccurl_tls_excuse_writes(ccurl_transfer *transfer, int number);

#endif
