// The options of a request, and the lists that some of them take.

#if defined(__linux__)

#include "transfer.h"

#include <string.h>

enum { OPTION_HTTPHEADER = 10023, OPTION_RESOLVE = 10203 };

int ccurl_set_long(ccurl_transfer *transfer, int option, long value) {
    return ccurl.easy_setopt(transfer->easy, option, value);
}

int ccurl_set_offset(ccurl_transfer *transfer, int option, int64_t value) {
    return ccurl.easy_setopt(transfer->easy, option, value);
}

int ccurl_set_text(ccurl_transfer *transfer, int option, const char *value) {
    return ccurl.easy_setopt(transfer->easy, option, value);
}

int ccurl_add_address(ccurl_transfer *transfer, const char *value) {
    void *grown = ccurl.slist_append(transfer->own.addresses, value);
    if (!grown) return -1;
    transfer->own.addresses = grown;
    return ccurl.easy_setopt(transfer->easy, OPTION_RESOLVE, grown);
}

bool ccurl_transfer_add_lines(ccurl_transfer *transfer, const char *lines, size_t count) {
    for (const char *line = lines; line < lines + count; line += strlen(line) + 1) {
        void *grown = ccurl.slist_append(transfer->own.lines, line);
        if (!grown) return false;
        transfer->own.lines = grown;
    }
    return true;
}

int ccurl_set_lines(ccurl_transfer *transfer) {
    return ccurl.easy_setopt(transfer->easy, OPTION_HTTPHEADER, transfer->own.lines);
}

#endif
