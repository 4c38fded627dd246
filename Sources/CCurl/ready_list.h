// What a callback does with its transfer: puts it on the list of those that have something to report, or ends it.

#ifndef CCURL_READY_LIST_H
#define CCURL_READY_LIST_H

#include "ccurl.h"

/// The transfers of a loop that have something to report, in their order.
typedef struct ccurl_ready_list {
    ccurl_transfer *first;
    ccurl_transfer **last;
} ccurl_ready_list;

void ccurl_ready_list_add(ccurl_transfer *transfer);
ccurl_transfer *ccurl_ready_list_take(ccurl_ready_list *list);
void ccurl_ready_list_forget(ccurl_transfer *transfer);

/// Ends a transfer from within a callback.
static inline size_t ccurl_fail(ccurl_transfer *transfer, ccurl_fault fault) {
    transfer->fault = fault;
    return 0;
}

#endif
