// Checks of certificates and keys in PEM (RFC 7468), with the OpenSSL that libcurl uses.

#ifndef CCURL_PEM_H
#define CCURL_PEM_H

#include <stdbool.h>
#include <stddef.h>

/// Whether the library takes a certificate and its key from memory: since 7.71 with OpenSSL.
bool ccurl_has_cert_blobs(void);

/// Whether the library takes certificate authorities from memory: since 7.77 with OpenSSL.
bool ccurl_has_authority_blob(void);

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
