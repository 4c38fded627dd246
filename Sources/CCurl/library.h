// libcurl's functions, as in its documentation.

#ifndef CCURL_LIBRARY_H
#define CCURL_LIBRARY_H

#include "ccurl.h"

// CURLINFO_* values of a transfer.
enum {
    CCURL_INFO_PRIMARY_IP = 0x100000 + 32,
    CCURL_INFO_NUM_CONNECTS = 0x200000 + 26,
    CCURL_INFO_PRIMARY_PORT = 0x200000 + 40,
    CCURL_INFO_NAMELOOKUP_TIME = 0x600000 + 51,
    CCURL_INFO_CONNECT_TIME = 0x600000 + 52,
    CCURL_INFO_APPCONNECT_TIME = 0x600000 + 56,
};

typedef struct {
    int message;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
} ccurl_message;

typedef struct {
    void *(*easy_init)(void);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    int (*easy_pause)(void *, int);
    void (*easy_cleanup)(void *);
    const char *(*easy_strerror)(int);
    void *(*multi_init)(void);
    int (*multi_setopt)(void *, int, ...);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_socket_all)(void *, int *);
    int (*multi_socket_action)(void *, int, int, int *);
    ccurl_message *(*multi_info_read)(void *, int *);
    int (*multi_cleanup)(void *);
    void *(*slist_append)(void *, const char *);
    void (*slist_free_all)(void *);
} ccurl_functions;

extern ccurl_functions ccurl;

/// A function of the OpenSSL that libcurl is linked to; NULL if it uses another library. What else is loaded may be
/// another version, which must not get the objects of this one.
void *ccurl_openssl_function(const char *name);

#endif
