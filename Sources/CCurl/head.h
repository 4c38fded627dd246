// The head of a response.

#ifndef CCURL_HEAD_H
#define CCURL_HEAD_H

#include "ccurl.h"

/// Takes one line: of an interim head, of the final one, or of the trailers, which are counted and dropped
/// (CURLOPT_HEADERFUNCTION).
size_t ccurl_on_header(char *line, size_t size, size_t count, void *context);

/// Checks a piece of a line before libcurl parses it; see ccurl_quirk_dangling_field. Returns its length if it may
/// pass.
size_t ccurl_head_check(ccurl_transfer *transfer, const char *piece, size_t length);

#endif
