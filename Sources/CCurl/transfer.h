// libcurl's easy handle.

#ifndef CCURL_TRANSFER_H
#define CCURL_TRANSFER_H

#include "ready_list.h"

/// A transfer with the callbacks of transfer.c; NULL without memory.
ccurl_transfer *ccurl_transfer_new(ccurl_ready_list *list);

#endif
