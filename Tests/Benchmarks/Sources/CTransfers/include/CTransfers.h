// libcurl's multi interface in plain C, as lean as can be: the yardstick of what a client on libcurl can reach.

#ifndef CTRANSFERS_H
#define CTRANSFERS_H

#include <stdbool.h>

/// `concurrency` transfers at a time, on one thread, until `count` are done; each must bring `length` bytes.
typedef struct {
    const char *url;
    /// The certificates to trust; NULL for the system's.
    const char *authorities;
    bool http2;
    int concurrency;
    int connections;
    long length;
} transfers_plan;

typedef struct transfers transfers;

/// NULL if libcurl was not found.
transfers *transfers_new(const transfers_plan *plan);

/// Runs `count` transfers to their end. Returns how many did not bring what they should.
int transfers_run(transfers *transfers, int count);

void transfers_free(transfers *transfers);

#endif
