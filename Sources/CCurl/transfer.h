// What the files of this module share of a transfer.

#ifndef CCURL_TRANSFER_H
#define CCURL_TRANSFER_H

#include "library.h"

/// The transfers of a loop that have news, in their order.
typedef struct ccurl_news {
    ccurl_transfer *first;
    ccurl_transfer **last;
} ccurl_news;

void ccurl_news_add(ccurl_transfer *transfer);
ccurl_transfer *ccurl_news_take(ccurl_news *news);
void ccurl_news_forget(ccurl_transfer *transfer);

/// A transfer with the callbacks of transfer.c; NULL without memory.
ccurl_transfer *ccurl_transfer_new(ccurl_news *news);

/// Ends a transfer from within a callback.
static inline size_t ccurl_fail(ccurl_transfer *transfer, ccurl_fault fault) {
    transfer->fault = fault;
    return 0;
}

/// Gets one line of a head (CURLOPT_HEADERFUNCTION).
size_t ccurl_on_header(char *line, size_t size, size_t count, void *context);

/// Looks at what may be a piece of a line, before libcurl takes it apart; see ccurl_keeps_last_field. Returns its length if it
/// may pass.
size_t ccurl_head_may_have(ccurl_transfer *transfer, const char *piece, size_t length);

/// Whether the body of a whole response may have been cut: see tls.c.
bool ccurl_tls_is_truncated(const ccurl_transfer *transfer);

/// Begins to listen whether TLS says that the connection ends here. The head has no other word on where the body does.
void ccurl_tls_listen(ccurl_transfer *transfer);

/// This thread works with these connections from now on.
void ccurl_tls_enter(struct ccurl_connections *connections);

/// Stops listening.
void ccurl_tls_forget(ccurl_transfer *transfer);

#endif
