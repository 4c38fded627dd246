// The functions of transfers for the files of this module.

#ifndef CCURL_TRANSFER_H
#define CCURL_TRANSFER_H

#include "library.h"

/// The transfers of a loop that have something to report, in their order.
typedef struct ccurl_ready_list {
    ccurl_transfer *first;
    ccurl_transfer **last;
} ccurl_ready_list;

void ccurl_ready_list_add(ccurl_transfer *transfer);
ccurl_transfer *ccurl_ready_list_take(ccurl_ready_list *list);
void ccurl_ready_list_forget(ccurl_transfer *transfer);

/// A transfer with the callbacks of transfer.c; NULL without memory.
ccurl_transfer *ccurl_transfer_new(ccurl_ready_list *list);

/// Ends a transfer from within a callback.
static inline size_t ccurl_fail(ccurl_transfer *transfer, ccurl_fault fault) {
    transfer->fault = fault;
    return 0;
}

struct sockaddr;

/// Whether a socket may be created for the address; records the fault.
bool ccurl_address_allow(ccurl_transfer *transfer, const struct sockaddr *address);

/// Takes one line: of an interim head, of the final one, or of the trailers, which are counted and dropped
/// (CURLOPT_HEADERFUNCTION).
size_t ccurl_on_header(char *line, size_t size, size_t count, void *context);

/// Checks a piece of a line before libcurl parses it; see ccurl_quirk_dangling_field. Returns its length if it may
/// pass.
size_t ccurl_head_check(ccurl_transfer *transfer, const char *piece, size_t length);

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

#endif
