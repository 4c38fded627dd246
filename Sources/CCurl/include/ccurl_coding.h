// Decoding of content codings, by the libraries that libcurl itself uses.

#ifndef CCURL_CODING_H
#define CCURL_CODING_H

#include <stdbool.h>
#include <stddef.h>

/// The content codings.
enum {
    CCURL_GZIP = 1,
    CCURL_DEFLATE = 2,
    CCURL_BROTLI = 4,
    CCURL_ZSTD = 8,
};

/// The codings whose libraries were found.
int ccurl_codings(void);

typedef struct ccurl_decoder ccurl_decoder;

/// NULL if the coding cannot be decoded, or without memory.
ccurl_decoder *ccurl_decoder_new(int coding);
void ccurl_decoder_free(ccurl_decoder *decoder);

/// Decodes until the input is used up, its data end, or the output is full. Sets both counts to the bytes used and
/// made; false if the input is invalid. Then all bytes before the fault have been made nevertheless.
bool ccurl_decoder_run(
    ccurl_decoder *decoder, const unsigned char *input, size_t *used, unsigned char *output, size_t *made);

/// Whether the input may end here.
bool ccurl_decoder_is_whole(const ccurl_decoder *decoder);

#endif
