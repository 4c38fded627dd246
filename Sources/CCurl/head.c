// The head of a response, line by line: interim heads are skipped, the final one is kept, trailers are counted and
// dropped.

#if defined(__linux__)

#include "head.h"

#include "ready_list.h"
#include "tls.h"

#include <string.h>
#include <strings.h>

static bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/// Parses `HTTP/1.1 200 OK` or `HTTP/2 200`; libcurl accepts more than that.
static bool read_status_line(ccurl_transfer *transfer, const char *line, size_t length) {
    const char *end = line + length;
    while (end > line && (end[-1] == '\r' || end[-1] == '\n')) end--;
    if (end - line < 10 || memcmp(line, "HTTP/", 5) != 0 || !is_digit(line[5])) return false;
    const char *next = line + 6;
    transfer->major_version = line[5] - '0';
    transfer->minor_version = 0;
    if (*next == '.') {
        if (!is_digit(next[1])) return false;
        transfer->minor_version = next[1] - '0';
        next += 2;
    }
    if (end - next < 4 || *next++ != ' ') return false;
    int status = 0;
    for (const char *stop = next + 3; next < stop; next++) {
        if (!is_digit(*next)) return false;
        status = status * 10 + *next - '0';
    }
    if (next < end && *next != ' ') return false;
    transfer->status = status;
    return status >= 100;
}

/// Records whether a line frames the body.
static void note_framing(ccurl_transfer *transfer, const char *line, size_t length) {
    bool is_length = length > 15 && strncasecmp(line, "content-length:", 15) == 0;
    bool is_coding = length > 18 && strncasecmp(line, "transfer-encoding:", 18) == 0;
    if (is_length || is_coding) transfer->own.is_framed = true;
    if (is_coding) transfer->own.is_chunked = true;
}

size_t ccurl_head_check(ccurl_transfer *transfer, const char *piece, size_t length) {
    if (!ccurl_quirk_dangling_field()) return ccurl_fail(transfer, CCURL_FAULT_HEAD);
    bool begins = !transfer->own.is_in_line;
    transfer->own.is_in_line = piece[length - 1] != '\n';
    bool is_first = begins && transfer->own.is_in_head && transfer->head.count == 0;
    if (is_first && (piece[0] == ' ' || piece[0] == '\t')) return ccurl_fail(transfer, CCURL_FAULT_BLANK);
    return length;
}

size_t ccurl_on_header(char *line, size_t size, size_t count, void *context) {
    ccurl_transfer *transfer = context;
    size_t length = size * count;
    transfer->own.header_bytes += length;
    if (transfer->own.header_bytes > transfer->header_limit) return ccurl_fail(transfer, CCURL_FAULT_HEADER_BYTES);
    if (transfer->has_head) return length;
    if (!transfer->own.is_in_head) {
        if (!read_status_line(transfer, line, length)) return ccurl_fail(transfer, CCURL_FAULT_STATUS_LINE);
        transfer->own.is_in_head = true;
        transfer->own.is_framed = transfer->own.is_chunked = false;
        transfer->head.count = 0;
        return length;
    }
    if (line[0] != '\n' && !(line[0] == '\r' && length == 2)) {
        note_framing(transfer, line, length);
        return ccurl_bytes_append(&transfer->head, line, length) ? length : ccurl_fail(transfer, CCURL_FAULT_MEMORY);
    }
    transfer->own.is_in_head = false;
    bool switches = transfer->status == 101;
    // A 101 has no body of its own (RFC 9110, section 8.6).
    if (switches && (!transfer->may_switch || transfer->own.is_framed)) return ccurl_fail(transfer, CCURL_FAULT_UPGRADE);
    if (transfer->status < 200 && !switches) return length;
    transfer->has_head = true;
    if (!transfer->own.is_framed && !switches && transfer->major_version == 1) ccurl_tls_listen(transfer);
    ccurl_ready_list_add(transfer);
    return length;
}

#endif
