// Undoing content codings, with the libraries that libcurl itself uses for it.

#ifndef CCURL_CODING_H
#define CCURL_CODING_H

#include <stdbool.h>
#include <stddef.h>

/// The content codings that can be undone here.
enum {
    CCURL_GZIP = 1,
    CCURL_DEFLATE = 2,
    CCURL_BROTLI = 4,
    CCURL_ZSTD = 8,
};

int ccurl_codings(void);

typedef struct ccurl_decoder ccurl_decoder;

/// NULL if the coding cannot be undone, or there is no memory.
ccurl_decoder *ccurl_decoder_new(int coding);
void ccurl_decoder_free(ccurl_decoder *decoder);

/// Decodes until the input is used up or the output is full. Says how much was used and made; false if the input is
/// not what it should be.
bool ccurl_decoder_run(
    ccurl_decoder *decoder, const unsigned char *input, size_t *input_count, unsigned char *output, size_t *output_count);

/// Whether the input so far is whole.
bool ccurl_decoder_is_whole(const ccurl_decoder *decoder);

#endif
