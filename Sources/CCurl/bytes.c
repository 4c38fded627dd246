#if defined(__linux__)

#include "ccurl.h"

#include <stdlib.h>
#include <string.h>

bool ccurl_bytes_append(ccurl_bytes *buffer, const void *bytes, size_t count) {
    if (buffer->capacity - buffer->count < count) {
        size_t capacity = buffer->capacity ? buffer->capacity : 512;
        while (capacity - buffer->count < count) capacity *= 2;
        unsigned char *grown = realloc(buffer->bytes, capacity);
        if (!grown) return false;
        buffer->bytes = grown;
        buffer->capacity = capacity;
    }
    if (count) memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
    return true;
}

#endif
