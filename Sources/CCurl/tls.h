// What only OpenSSL knows of a connection.

#ifndef CCURL_TLS_H
#define CCURL_TLS_H

#include "ccurl.h"

/// Whether the body of a whole response may have been cut: see tls.c.
bool ccurl_tls_is_truncated(const ccurl_transfer *transfer);

/// Starts to listen for the close_notify of TLS, for a response whose head does not show where the body ends.
void ccurl_tls_listen(ccurl_transfer *transfer);

/// Notes the version of TLS and the end of the server's certificate, while the transfer has its connection.
void ccurl_tls_note(ccurl_transfer *transfer);

/// Sets the connections that this thread works with.
void ccurl_tls_enter(struct ccurl_connections *connections);

/// Stops listening.
void ccurl_tls_forget(ccurl_transfer *transfer);

/// Has a failed write wait while there is something to read, so that libcurl reads the response of a server that has
/// refused an upload.
///
/// Of 1,000 uploads of 1 MB that a server on loopback refused at once, closing with unread bytes, 646 reported its 413
/// over TLS 1.3 without this function, and 425 over TLS 1.2; of 10 MB 562 and 286. The others lost their connection.
/// With it, all of them reported the 413 (libcurl 7.88, OpenSSL 3.0).
void ccurl_tls_excuse_writes(ccurl_transfer *transfer, int number);

#endif
