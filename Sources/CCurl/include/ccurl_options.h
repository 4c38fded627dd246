// The options of a transfer. Each returns libcurl's number of an error, or 0.

#ifndef CCURL_OPTIONS_H
#define CCURL_OPTIONS_H

#include "ccurl.h"

int ccurl_set_long(ccurl_transfer *transfer, int option, long value);
int ccurl_set_offset(ccurl_transfer *transfer, int option, int64_t value);
int ccurl_set_text(ccurl_transfer *transfer, int option, const char *value);
/// Sets an option to bytes, which are copied.
int ccurl_set_bytes(ccurl_transfer *transfer, int option, const void *bytes, size_t count);
/// Adds an address that replaces the resolution of a name.
int ccurl_add_address(ccurl_transfer *transfer, const char *value);
/// Sets the header lines, each with a zero byte at its end. Does nothing if they are those of the last request.
int ccurl_set_lines(ccurl_transfer *transfer, const char *lines, size_t count);

#endif
