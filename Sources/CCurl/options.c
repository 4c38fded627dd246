// The options of a request, and their lists.

#if defined(__linux__)

#include "ccurl_options.h"

#include "library.h"

#include <string.h>

enum { OPTION_HTTPHEADER = 10023, OPTION_RESOLVE = 10203 };
enum { OUT_OF_MEMORY = 27, COPIED = 1 };

/// The value of an option with bytes (curl_blob).
typedef struct {
    const void *bytes;
    size_t count;
    unsigned flags;
} option_bytes;

int ccurl_set_long(ccurl_transfer *transfer, int option, long value) {
    return ccurl.easy_setopt(transfer->easy, option, value);
}

int ccurl_set_offset(ccurl_transfer *transfer, int option, int64_t value) {
    return ccurl.easy_setopt(transfer->easy, option, value);
}

int ccurl_set_text(ccurl_transfer *transfer, int option, const char *value) {
    return ccurl.easy_setopt(transfer->easy, option, value);
}

int ccurl_set_bytes(ccurl_transfer *transfer, int option, const void *bytes, size_t count) {
    option_bytes value = {.bytes = bytes, .count = count, .flags = COPIED};
    return ccurl.easy_setopt(transfer->easy, option, &value);
}

int ccurl_add_address(ccurl_transfer *transfer, const char *value) {
    void *grown = ccurl.slist_append(transfer->own.addresses, value);
    if (!grown) return -1;
    transfer->own.addresses = grown;
    return ccurl.easy_setopt(transfer->easy, OPTION_RESOLVE, grown);
}

int ccurl_set_lines(ccurl_transfer *transfer, const char *lines, size_t count) {
    ccurl_bytes *known = &transfer->own.line_text;
    if (transfer->own.lines && count == known->count && memcmp(lines, known->bytes, count) == 0) return 0;
    known->count = 0;
    bool has_memory = ccurl_bytes_append(known, lines, count);
    void *list = NULL;
    for (const char *line = lines; has_memory && line < lines + count; line += strlen(line) + 1) {
        void *grown = ccurl.slist_append(list, line);
        has_memory = grown != NULL;
        if (grown) list = grown;
    }
    int code = ccurl.easy_setopt(transfer->easy, OPTION_HTTPHEADER, list);
    ccurl.slist_free_all(transfer->own.lines);
    transfer->own.lines = list;
    return has_memory ? code : OUT_OF_MEMORY;
}

#endif
