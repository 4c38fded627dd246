#if defined(__linux__)

#include "ready_list.h"

#include <stddef.h>

void ccurl_ready_list_add(ccurl_transfer *transfer) {
    if (transfer->own.is_ready) return;
    ccurl_ready_list *list = transfer->own.ready_list;
    transfer->own.is_ready = true;
    transfer->own.next_ready = NULL;
    *list->last = transfer;
    list->last = &transfer->own.next_ready;
}

ccurl_transfer *ccurl_ready_list_take(ccurl_ready_list *list) {
    ccurl_transfer *transfer = list->first;
    if (!transfer) return NULL;
    list->first = transfer->own.next_ready;
    if (!list->first) list->last = &list->first;
    transfer->own.is_ready = false;
    return transfer;
}

void ccurl_ready_list_forget(ccurl_transfer *transfer) {
    if (!transfer->own.is_ready) return;
    ccurl_ready_list *list = transfer->own.ready_list;
    list->last = &list->first;
    for (ccurl_transfer **link = &list->first; *link;) {
        if (*link == transfer) {
            *link = transfer->own.next_ready;
        } else {
            link = list->last = &(*link)->own.next_ready;
        }
    }
    transfer->own.is_ready = false;
}

#endif
