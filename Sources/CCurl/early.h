// The responses of servers that stop reading a request's body.

#ifndef CCURL_EARLY_H
#define CCURL_EARLY_H

#include "connections.h"

/// A transfer is about to send its request on a socket, with a body or without.
void ccurl_early_begin(ccurl_transfer *transfer, int number);

/// The transfer sends no more.
void ccurl_early_end(ccurl_transfer *transfer);

/// The events that a socket is watched for, of those that libcurl wants: nothing is sent once an error response has
/// begun.
uint32_t ccurl_early_interest(const ccurl_socket *socket);

/// The events to report to libcurl, of those that a socket is ready for: it reads before it writes.
uint32_t ccurl_early_order(const ccurl_socket *socket, uint32_t events);

/// A socket is about to be closed: reads the response that it may hold.
void ccurl_early_take(ccurl_socket *socket, int number);

#endif
