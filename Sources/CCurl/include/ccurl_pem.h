// Checks of certificates and keys in PEM (RFC 7468), with the OpenSSL that libcurl uses.

#ifndef CCURL_PEM_H
#define CCURL_PEM_H

#include <stddef.h>

typedef enum {
    CCURL_PEM_OK,
    /// No certificate, or one that is cut or broken.
    CCURL_PEM_CERTIFICATE,
    /// No private key, or one that is broken, or needs another password.
    CCURL_PEM_KEY,
    /// The key is not the one of the certificate.
    CCURL_PEM_MISMATCH,
} ccurl_pem;

/// Checks certificates; fine without OpenSSL.
ccurl_pem ccurl_pem_check(const void *certificates, size_t count);

/// Checks a certificate with its chain, its key, and whether they fit; fine without OpenSSL. The password may be NULL.
ccurl_pem ccurl_pem_check_pair(const void *certificates, size_t count, const void *key, size_t key_count,
                               const char *password);

#endif
