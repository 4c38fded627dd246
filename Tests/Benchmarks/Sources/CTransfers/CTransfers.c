#include "CTransfers.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_WRITEDATA = 10001,
    OPTION_URL = 10002,
    OPTION_PROXY = 10004,
    OPTION_WRITEFUNCTION = 20011,
    OPTION_NOPROGRESS = 43,
    OPTION_CAINFO = 10065,
    OPTION_HTTP_VERSION = 84,
    OPTION_BUFFERSIZE = 98,
    OPTION_NOSIGNAL = 99,
    OPTION_PRIVATE = 10103,
    OPTION_PIPEWAIT = 237,
};
enum { MULTI_PIPELINING = 3, MULTI_MAXCONNECTS = 6, MULTI_MAX_HOST_CONNECTIONS = 7, MULTIPLEX = 2 };
enum { INFO_PRIVATE = 0x100000 + 21, INFO_STATUS = 0x200000 + 2, MESSAGE_DONE = 1 };

typedef struct {
    int message;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
} message;

typedef struct {
    void *easy;
    long received;
} transfer;

struct transfers {
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    void (*easy_cleanup)(void *);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_perform)(void *, int *);
    int (*multi_poll)(void *, void *, unsigned, int, int *);
    message *(*multi_info_read)(void *, int *);
    int (*multi_cleanup)(void *);
    void *multi;
    int concurrency;
    long length;
    transfer *lanes;
};

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    ((transfer *)context)->received += (long)(size * count);
    return size * count;
}

transfers *transfers_new(const transfers_plan *plan) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    transfers *all = library ? calloc(1, sizeof *all) : NULL;
    if (!all) return NULL;
    int (*global_init)(long) = dlsym(library, "curl_global_init");
    void *(*easy_init)(void) = dlsym(library, "curl_easy_init");
    void *(*multi_init)(void) = dlsym(library, "curl_multi_init");
    int (*multi_setopt)(void *, int, ...) = dlsym(library, "curl_multi_setopt");
    all->easy_setopt = dlsym(library, "curl_easy_setopt");
    all->easy_getinfo = dlsym(library, "curl_easy_getinfo");
    all->easy_cleanup = dlsym(library, "curl_easy_cleanup");
    all->multi_add_handle = dlsym(library, "curl_multi_add_handle");
    all->multi_remove_handle = dlsym(library, "curl_multi_remove_handle");
    all->multi_perform = dlsym(library, "curl_multi_perform");
    all->multi_poll = dlsym(library, "curl_multi_poll");
    all->multi_info_read = dlsym(library, "curl_multi_info_read");
    all->multi_cleanup = dlsym(library, "curl_multi_cleanup");
    global_init(3);
    all->multi = multi_init();
    multi_setopt(all->multi, MULTI_PIPELINING, (long)MULTIPLEX);
    multi_setopt(all->multi, MULTI_MAXCONNECTS, (long)plan->connections);
    multi_setopt(all->multi, MULTI_MAX_HOST_CONNECTIONS, (long)plan->connections);
    all->concurrency = plan->concurrency;
    all->length = plan->length;
    all->lanes = calloc((size_t)plan->concurrency, sizeof *all->lanes);
    for (int index = 0; index < plan->concurrency; index++) {
        transfer *lane = &all->lanes[index];
        lane->easy = easy_init();
        all->easy_setopt(lane->easy, OPTION_URL, plan->url);
        all->easy_setopt(lane->easy, OPTION_PRIVATE, lane);
        all->easy_setopt(lane->easy, OPTION_WRITEDATA, lane);
        all->easy_setopt(lane->easy, OPTION_WRITEFUNCTION, on_body);
        all->easy_setopt(lane->easy, OPTION_NOPROGRESS, 1L);
        all->easy_setopt(lane->easy, OPTION_NOSIGNAL, 1L);
        all->easy_setopt(lane->easy, OPTION_PROXY, "");
        all->easy_setopt(lane->easy, OPTION_BUFFERSIZE, 64L << 10);
        all->easy_setopt(lane->easy, OPTION_HTTP_VERSION, plan->http2 ? 4L : 2L);
        all->easy_setopt(lane->easy, OPTION_PIPEWAIT, plan->http2 ? 1L : 0L);
        if (plan->authorities) all->easy_setopt(lane->easy, OPTION_CAINFO, plan->authorities);
    }
    return all;
}

int transfers_run(transfers *all, int count) {
    int begun = 0, done = 0, failed = 0, left;
    for (; begun < count && begun < all->concurrency; begun++) {
        all->lanes[begun].received = 0;
        all->multi_add_handle(all->multi, all->lanes[begun].easy);
    }
    while (done < count) {
        all->multi_perform(all->multi, &left);
        message *next;
        int ended = 0;
        while ((next = all->multi_info_read(all->multi, &left))) {
            if (next->message != MESSAGE_DONE) continue;
            transfer *lane = NULL;
            long status = 0;
            int result = next->data.result;
            void *easy = next->easy;
            all->easy_getinfo(easy, INFO_PRIVATE, &lane);
            all->easy_getinfo(easy, INFO_STATUS, &status);
            if (result != 0 || status != 200 || lane->received != all->length) failed++;
            done++;
            ended++;
            all->multi_remove_handle(all->multi, easy);
            if (begun < count) {
                begun++;
                lane->received = 0;
                all->multi_add_handle(all->multi, easy);
            }
        }
        if (!ended) all->multi_poll(all->multi, NULL, 0, 1000, NULL);
    }
    return failed;
}

void transfers_free(transfers *all) {
    for (int index = 0; index < all->concurrency; index++) all->easy_cleanup(all->lanes[index].easy);
    all->multi_cleanup(all->multi);
    free(all->lanes);
    free(all);
}
