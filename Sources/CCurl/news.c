// The list of the transfers of a loop that have news.

#if defined(__linux__)

#include "transfer.h"

#include <stddef.h>

void ccurl_news_add(ccurl_transfer *transfer) {
    if (transfer->own.has_news) return;
    ccurl_news *news = transfer->own.news;
    transfer->own.has_news = true;
    transfer->own.next_news = NULL;
    *news->last = transfer;
    news->last = &transfer->own.next_news;
}

ccurl_transfer *ccurl_news_take(ccurl_news *news) {
    ccurl_transfer *transfer = news->first;
    if (!transfer) return NULL;
    news->first = transfer->own.next_news;
    if (!news->first) news->last = &news->first;
    transfer->own.has_news = false;
    return transfer;
}

void ccurl_news_forget(ccurl_transfer *transfer) {
    if (!transfer->own.has_news) return;
    ccurl_news *news = transfer->own.news;
    news->last = &news->first;
    for (ccurl_transfer **link = &news->first; *link;) {
        if (*link == transfer) {
            *link = transfer->own.next_news;
        } else {
            link = news->last = &(*link)->own.next_news;
        }
    }
    transfer->own.has_news = false;
}

#endif
