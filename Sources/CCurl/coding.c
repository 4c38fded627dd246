// Decoding of content codings, by the libraries that libcurl itself uses. libcurl accepts a coded body that was cut, so
// it is not used for decoding.

#if defined(__linux__)

#include "ccurl_coding.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/// zlib's z_stream (zlib.h, unchanged since 1.2).
typedef struct {
    const unsigned char *next_in;
    unsigned available_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned available_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *(*allocate)(void *, unsigned, unsigned);
    void (*release)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long checksum;
    unsigned long reserved;
} zlib_stream;

typedef struct {
    void *bytes;
    size_t size;
    size_t position;
} zstd_buffer;

static struct {
    int (*inflate_init)(zlib_stream *, int window_bits, const char *version, int stream_size);
    int (*inflate)(zlib_stream *, int flush);
    int (*inflate_reset)(zlib_stream *);
    int (*inflate_end)(zlib_stream *);
    void *(*brotli_make)(void *, void *, void *);
    int (*brotli_run)(void *, size_t *, const unsigned char **, size_t *, unsigned char **, size_t *);
    const unsigned char *(*brotli_take)(void *, size_t *);
    void (*brotli_free)(void *);
    void *(*zstd_make)(void);
    size_t (*zstd_set)(void *, int parameter, int value);
    size_t (*zstd_run)(void *, zstd_buffer *, zstd_buffer *);
    unsigned (*zstd_is_error)(size_t);
    size_t (*zstd_free)(void *);
} library;

enum { ZLIB_OK = 0, ZLIB_END = 1, ZLIB_NO_PROGRESS = -5, ZLIB_WINDOW = 15, ZLIB_GZIP = 16 };
enum { BROTLI_DONE = 1, BROTLI_WANTS_INPUT = 2, BROTLI_WANTS_OUTPUT = 3 };
/// The bytes that the scout takes at a time, and those made of them from which it ends: see run_brotli.
enum { SCOUT_PIECE = 4096, SCOUT_MOST = 256 << 10 };
/// The window RFC 9659 allows: 8 MiB.
enum { ZSTD_WINDOW_LOG_MAX = 100, ZSTD_WINDOW_LOG = 23 };
/// The bytes before each block (RFC 8878, section 3.1.1.2).
enum { ZSTD_BLOCK_HEADER = 3 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int codings;

/// Finds a function of the library; false if it has none of this name.
#define FIND(member, name) ((library.member = dlsym(handle, name)) != NULL)

static void load(void) {
    void *handle = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (handle && FIND(inflate_init, "inflateInit2_") && FIND(inflate, "inflate")
        && FIND(inflate_reset, "inflateReset") && FIND(inflate_end, "inflateEnd")) {
        codings |= CCURL_GZIP | CCURL_DEFLATE;
    }
    handle = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (handle && FIND(brotli_make, "BrotliDecoderCreateInstance")
        && FIND(brotli_run, "BrotliDecoderDecompressStream") && FIND(brotli_take, "BrotliDecoderTakeOutput")
        && FIND(brotli_free, "BrotliDecoderDestroyInstance")) {
        codings |= CCURL_BROTLI;
    }
    handle = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    if (handle && FIND(zstd_make, "ZSTD_createDStream") && FIND(zstd_set, "ZSTD_DCtx_setParameter")
        && FIND(zstd_run, "ZSTD_decompressStream") && FIND(zstd_is_error, "ZSTD_isError")
        && FIND(zstd_free, "ZSTD_freeDStream")) {
        codings |= CCURL_ZSTD;
    }
}

#undef FIND

int ccurl_codings(void) {
    pthread_once(&once, load);
    return codings;
}

struct ccurl_decoder {
    int coding;
    bool has_begun;
    /// At the end of the data, or of a part that another may follow.
    bool is_at_end;
    zlib_stream zlib;
    /// The decoder of brotli or zstd.
    void *other;
    /// A decoder of brotli that goes ahead: see run_brotli. NULL once it has ended.
    void *scout;
    /// The bytes of the input that only the scout has taken.
    size_t scouted;
    /// The bytes that zstd asks for next.
    size_t zstd_wants;
};

ccurl_decoder *ccurl_decoder_new(int coding) {
    if (!(ccurl_codings() & coding)) return NULL;
    ccurl_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->coding = coding;
    if (coding == CCURL_BROTLI) decoder->scout = library.brotli_make(NULL, NULL, NULL);
    if (decoder->scout) decoder->other = library.brotli_make(NULL, NULL, NULL);
    if (coding == CCURL_ZSTD) decoder->other = library.zstd_make();
    if (coding == CCURL_ZSTD && decoder->other) library.zstd_set(decoder->other, ZSTD_WINDOW_LOG_MAX, ZSTD_WINDOW_LOG);
    if ((coding == CCURL_BROTLI || coding == CCURL_ZSTD) && !decoder->other) {
        ccurl_decoder_free(decoder);
        return NULL;
    }
    return decoder;
}

void ccurl_decoder_free(ccurl_decoder *decoder) {
    if (decoder->zlib.state) library.inflate_end(&decoder->zlib);
    if (decoder->scout) library.brotli_free(decoder->scout);
    if (decoder->other && decoder->coding == CCURL_BROTLI) library.brotli_free(decoder->other);
    if (decoder->other && decoder->coding == CCURL_ZSTD) library.zstd_free(decoder->other);
    free(decoder);
}

/// Some servers send "deflate" without zlib's header (RFC 9110, section 8.4.1.2). The header has method 8 and a window
/// of 32 KiB at most in its first byte.
static int window_bits(const ccurl_decoder *decoder, unsigned char first) {
    if (decoder->coding == CCURL_GZIP) return ZLIB_WINDOW + ZLIB_GZIP;
    return (first & 0x0F) == 8 && first >> 4 <= 7 ? ZLIB_WINDOW : -ZLIB_WINDOW;
}

static bool run_zlib(ccurl_decoder *decoder, const unsigned char *input, size_t *used, unsigned char *output,
                     size_t *made) {
    zlib_stream *stream = &decoder->zlib;
    stream->next_in = input;
    stream->available_in = (unsigned)*used;
    stream->next_out = output;
    stream->available_out = (unsigned)*made;
    *used = *made = 0;
    if (!stream->state &&
        library.inflate_init(stream, window_bits(decoder, input[0]), "1.2.11", (int)sizeof *stream) != ZLIB_OK) {
        return false;
    }
    if (decoder->is_at_end) {
        // Only gzip may have several parts (RFC 1952, section 2.2).
        if (decoder->coding != CCURL_GZIP) return true;
        if (library.inflate_reset(stream) != ZLIB_OK) return false;
        decoder->is_at_end = false;
    }
    unsigned input_count = stream->available_in, room = stream->available_out;
    int result = library.inflate(stream, 0);
    *used = input_count - stream->available_in;
    *made = room - stream->available_out;
    decoder->is_at_end = result == ZLIB_END;
    return result == ZLIB_OK || result == ZLIB_END || result == ZLIB_NO_PROGRESS;
}

/// Has the scout decode a piece, and drops what it makes. It ends at a fault, and at a piece that becomes very long:
/// the receiver may want only a part of that.
static void scout_ahead(ccurl_decoder *decoder, const unsigned char *input, size_t piece) {
    size_t left = piece, no_room = 0, made = 0;
    int result;
    do {
        unsigned char *nowhere = NULL;
        result = library.brotli_run(decoder->scout, &left, &input, &no_room, &nowhere, NULL);
        size_t taken = 0;
        library.brotli_take(decoder->scout, &taken);
        made += taken;
    } while (result == BROTLI_WANTS_OUTPUT && made < SCOUT_MOST);
    if (result == BROTLI_DONE || result == BROTLI_WANTS_INPUT) {
        decoder->scouted = piece - left;
    } else {
        library.brotli_free(decoder->scout);
        decoder->scout = NULL;
    }
}

/// When brotli finds an error, it drops what it has made in the same call. So another decoder, the scout, takes each
/// piece first: where that ends, the piece and the rest are decoded byte by byte. 8 MB of JSON, decoded, take
/// 32 ms so, and the memory of two windows; 70 ms all byte by byte; 15 ms with one decoder that loses up to a piece.
static bool run_brotli(ccurl_decoder *decoder, const unsigned char *input, size_t *used, unsigned char *output,
                       size_t *made) {
    size_t input_left = *used, output_left = *made;
    // First what did not fit before: the decoder asks for input although it has output left.
    size_t piece = 0;
    int result = BROTLI_DONE;
    while (!decoder->is_at_end) {
        size_t left = piece;
        result = library.brotli_run(decoder->other, &left, &input, &output_left, &output, NULL);
        input_left -= piece - left;
        if (decoder->scout) decoder->scouted -= piece - left;
        decoder->is_at_end = result == BROTLI_DONE;
        if (result != BROTLI_WANTS_INPUT || input_left == 0 || output_left == 0) break;
        piece = input_left < SCOUT_PIECE ? input_left : SCOUT_PIECE;
        if (decoder->scout && !decoder->scouted) scout_ahead(decoder, input, piece);
        if (!decoder->scout) piece = 1;
        else if (decoder->scouted < piece) piece = decoder->scouted;
    }
    *used -= input_left;
    *made -= output_left;
    return result == BROTLI_DONE || result == BROTLI_WANTS_INPUT || result == BROTLI_WANTS_OUTPUT;
}

/// One block of the input at a time: when the decoder finds an error, it does not tell what it has made in the same
/// call. The size that it asks for next includes the header of the block after it.
static bool run_zstd(ccurl_decoder *decoder, const unsigned char *input, size_t *used, unsigned char *output,
                     size_t *made) {
    zstd_buffer from = {(void *)input, 0, 0}, to = {output, *made, 0};
    bool is_valid = true;
    do {
        size_t piece = decoder->zstd_wants > ZSTD_BLOCK_HEADER ? decoder->zstd_wants - ZSTD_BLOCK_HEADER : 1;
        from.size = *used - from.position < piece ? *used : from.position + piece;
        size_t result = library.zstd_run(decoder->other, &to, &from);
        is_valid = !library.zstd_is_error(result);
        decoder->is_at_end = result == 0;
        decoder->zstd_wants = is_valid ? result : 0;
    } while (is_valid && from.position < *used && to.position < to.size);
    *used = from.position;
    *made = to.position;
    return is_valid;
}

bool ccurl_decoder_run(
    ccurl_decoder *decoder, const unsigned char *input, size_t *used, unsigned char *output, size_t *made) {
    size_t limit = 1u << 30;
    if (*used > limit) *used = limit;
    if (*used == 0 && (!decoder->has_begun || decoder->is_at_end)) {
        *made = 0;
        return true;
    }
    decoder->has_begun = true;
    switch (decoder->coding) {
        case CCURL_BROTLI: return run_brotli(decoder, input, used, output, made);
        case CCURL_ZSTD: return run_zstd(decoder, input, used, output, made);
        default: return run_zlib(decoder, input, used, output, made);
    }
}

bool ccurl_decoder_is_whole(const ccurl_decoder *decoder) { return !decoder->has_begun || decoder->is_at_end; }

#endif
