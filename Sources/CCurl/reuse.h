// Which connections are used again: kept ones that are stale, and what may be sent again when one is lost.

#ifndef CCURL_REUSE_H
#define CCURL_REUSE_H

#include "connections.h"

/// The time of a monotonic clock in milliseconds.
int64_t ccurl_milliseconds_now(void);

/// Installs the callbacks for sockets that a transfer opens and closes, and for requests that are about to be sent.
void ccurl_connections_serve(ccurl_connections *connections, ccurl_transfer *transfer);

/// A transfer starts or stops waiting for a connection.
void ccurl_connections_start_waiting(ccurl_transfer *transfer);
void ccurl_connections_stop_waiting(ccurl_transfer *transfer);

/// Whether to restart a transfer that has ended because of a stale connection, which is closed now. If so, resets its
/// end.
bool ccurl_connections_allow_restart(ccurl_transfer *transfer);

#endif
