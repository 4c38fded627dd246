#if defined(__linux__)

#include "address.h"

#include <netinet/in.h>

static bool is_allowed(ccurl_transfer *transfer, const struct sockaddr *address) {
    const void *place = address;
    switch (address->sa_family) {
    case AF_INET: return transfer->may_connect(transfer, &((const struct sockaddr_in *)place)->sin_addr, 4);
    case AF_INET6: return transfer->may_connect(transfer, &((const struct sockaddr_in6 *)place)->sin6_addr, 16);
    default: return transfer->may_connect(transfer, NULL, 0);
    }
}

bool ccurl_address_allow(ccurl_transfer *transfer, const struct sockaddr *address) {
    if (!transfer->may_connect) return true;
    bool is_refused = !is_allowed(transfer, address);
    // If another address of the host is allowed, the failure is that one's.
    if (is_refused && transfer->own.opened_count == 0) transfer->fault = CCURL_FAULT_ADDRESS;
    if (!is_refused && transfer->fault == CCURL_FAULT_ADDRESS) transfer->fault = CCURL_FAULT_NONE;
    return !is_refused;
}

#endif
