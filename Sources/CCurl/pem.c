// OpenSSL's functions as in its documentation, found at run time.

#if defined(__linux__)

#include "ccurl_pem.h"

#include "ccurl.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/// The reason in an error, and PEM_R_NO_START_LINE: nothing follows.
enum { REASON_MASK = 0xFFF, NO_START_LINE = 108 };

typedef int (*password_callback)(char *buffer, int size, int is_writing, void *password);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;
static void *(*new_bio)(const void *bytes, int count);
static int (*free_bio)(void *bio);
static void *(*read_certificate)(void *bio, void **, password_callback, void *password);
static void *(*read_key)(void *bio, void **, password_callback, void *password);
static int (*fits)(void *certificate, void *key);
static void (*free_certificate)(void *certificate);
static void (*free_key)(void *key);
static unsigned long (*last_error)(void);
static void (*clear_errors)(void);

static void load(void) {
    static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"};
    void *library = NULL;
    if (!ccurl_has_cert_blobs()) return;
    for (size_t index = 0; index < sizeof names / sizeof names[0] && !library; index++) {
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    }
    if (!library) return;
    new_bio = dlsym(library, "BIO_new_mem_buf");
    free_bio = dlsym(library, "BIO_free");
    read_certificate = dlsym(library, "PEM_read_bio_X509");
    read_key = dlsym(library, "PEM_read_bio_PrivateKey");
    fits = dlsym(library, "X509_check_private_key");
    free_certificate = dlsym(library, "X509_free");
    free_key = dlsym(library, "EVP_PKEY_free");
    last_error = dlsym(library, "ERR_peek_last_error");
    clear_errors = dlsym(library, "ERR_clear_error");
    is_loaded = new_bio && free_bio && read_certificate && read_key && fits && free_certificate && free_key
        && last_error && clear_errors;
}

/// Gives the password, or none: OpenSSL itself would ask for one on the terminal.
static int give_password(char *buffer, int size, int is_writing, void *password) {
    (void)is_writing;
    size_t length = password ? strlen(password) : 0;
    if (size <= 0 || length > (size_t)size) return -1;
    if (length) memcpy(buffer, password, length);
    return password ? (int)length : -1;
}

/// The first certificate; NULL if there is none, or if one is broken. To be freed.
static void *first_certificate(const void *bytes, size_t count) {
    void *bio = count <= INT_MAX ? new_bio(bytes, (int)count) : NULL;
    if (!bio) return NULL;
    void *first = read_certificate(bio, NULL, give_password, NULL);
    for (void *next = first; next && (next = read_certificate(bio, NULL, give_password, NULL));) free_certificate(next);
    bool is_whole = first && (last_error() & REASON_MASK) == NO_START_LINE;
    free_bio(bio);
    if (first && !is_whole) free_certificate(first);
    return is_whole ? first : NULL;
}

ccurl_pem ccurl_pem_check_pair(const void *certificates, size_t count, const void *key, size_t key_count,
                               const char *password) {
    pthread_once(&once, load);
    if (!is_loaded) return CCURL_PEM_OK;
    clear_errors();
    ccurl_pem result = CCURL_PEM_OK;
    void *certificate = first_certificate(certificates, count);
    void *bio = certificate && key_count <= INT_MAX ? new_bio(key, (int)key_count) : NULL;
    void *parsed = bio ? read_key(bio, NULL, give_password, (void *)password) : NULL;
    if (!certificate) result = CCURL_PEM_CERTIFICATE;
    else if (!parsed) result = CCURL_PEM_KEY;
    else if (fits(certificate, parsed) != 1) result = CCURL_PEM_MISMATCH;
    if (parsed) free_key(parsed);
    if (bio) free_bio(bio);
    if (certificate) free_certificate(certificate);
    clear_errors();
    return result;
}

ccurl_pem ccurl_pem_check(const void *certificates, size_t count) {
    pthread_once(&once, load);
    if (!is_loaded) return CCURL_PEM_OK;
    clear_errors();
    void *certificate = first_certificate(certificates, count);
    if (certificate) free_certificate(certificate);
    clear_errors();
    return certificate ? CCURL_PEM_OK : CCURL_PEM_CERTIFICATE;
}

#endif
