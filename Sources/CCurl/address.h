// The check of an address before a socket is created for it.

#ifndef CCURL_ADDRESS_H
#define CCURL_ADDRESS_H

#include "ccurl.h"

struct sockaddr;

/// Whether a socket may be created for the address; records the fault.
bool ccurl_address_allow(ccurl_transfer *transfer, const struct sockaddr *address);

#endif
