#if defined(__linux__)

#include "reuse.h"

#include "address.h"
#include "early.h"
#include "library.h"
#include "ready_list.h"
#include "tls.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    OPTION_OPENSOCKETFUNCTION = 20163,
    OPTION_OPENSOCKETDATA = 10164,
    OPTION_CLOSESOCKETFUNCTION = 20208,
    OPTION_CLOSESOCKETDATA = 10209,
    OPTION_PREREQFUNCTION = 20312,
    OPTION_PREREQDATA = 10313,
    OPTION_FORBID_REUSE = 75,
};
enum { PREREQ_OK = 0, PREREQ_ABORT = 1 };

typedef struct {
    int family;
    int type;
    int protocol;
    unsigned length;
    struct sockaddr address;
} socket_address;

// MARK: Stale connections

/// The local port of a socket; 0 without one.
static int local_port_of(int socket) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(socket, (struct sockaddr *)&address, &length) != 0) return 0;
    switch (address.ss_family) {
    case AF_INET: return ntohs(((struct sockaddr_in *)&address)->sin_port);
    case AF_INET6: return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
    default: return 0;
    }
}

/// The socket of a connection, and whether the transfer has opened it; negative if it is unknown.
static int socket_of(ccurl_transfer *transfer, const char *remote, int remote_port, int local_port, bool *is_new) {
    *is_new = false;
    if (local_port <= 0) return -1;
    uint32_t remote_host = 2166136261;
    for (const char *byte = remote; byte && *byte; byte++) remote_host = (remote_host ^ (uint8_t)*byte) * 16777619;
    ccurl_connections *connections = transfer->own.connections;
    unsigned count = sizeof transfer->own.opened / sizeof transfer->own.opened[0];
    if (transfer->own.opened_count < count) count = transfer->own.opened_count;
    for (unsigned index = 0; index < count; index++) {
        int opened = transfer->own.opened[index];
        if (local_port_of(opened) != local_port) continue;
        ccurl_connections_add(connections, opened, local_port, remote_port, remote_host);
        *is_new = true;
        return opened;
    }
    return ccurl_connections_find(connections, local_port, remote_port, remote_host);
}

/// Whether a kept connection has something to read, or has ended. Unexpected bytes would be taken for the response to
/// the next request: libcurl before 8 does not check.
static bool is_stale(int kept) {
    char byte;
    ssize_t received = recv(kept, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return received >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

int64_t ccurl_milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Whether a connection is so old that the request that begins on it is its last one.
static bool retires(const ccurl_socket *socket) {
    return socket->retires_at && socket->retires_at <= ccurl_milliseconds_now();
}

// MARK: Callbacks

/// The request is about to be sent on an established connection. The second call means that a kept connection has been
/// lost, and that the server may have acted on the request.
static int on_prereq(void *context, char *remote, char *local, int remote_port, int local_port) {
    (void)local;
    ccurl_transfer *transfer = context;
    bool is_new;
    int number = socket_of(transfer, remote, remote_port, local_port, &is_new);
    if (transfer->expects_silence && number >= 0 && !is_new && is_stale(number)) {
        transfer->fault = CCURL_FAULT_STALE;
        return PREREQ_ABORT;
    }
    if (transfer->is_connected && !transfer->may_repeat) {
        transfer->fault = CCURL_FAULT_LOST;
        return PREREQ_ABORT;
    }
    transfer->fault = CCURL_FAULT_NONE;
    transfer->was_repeated = transfer->is_connected;
    transfer->is_connected = true;
    ccurl_connections_stop_waiting(transfer);
    ccurl_tls_note(transfer);
    if (number >= 0 && retires(&transfer->own.connections->sockets[number])) {
        ccurl.easy_setopt(transfer->easy, OPTION_FORBID_REUSE, 1L);
    }
    if (number >= 0) ccurl_early_begin(transfer, number);
    ccurl_ready_list_add(transfer);
    return PREREQ_OK;
}

/// Creates a socket that no other program inherits, for an address that may be connected with.
static int on_socket(void *context, int purpose, socket_address *address) {
    (void)purpose;
    ccurl_transfer *transfer = context;
    ccurl_connections *connections = transfer->own.connections;
    if (!ccurl_address_allow(transfer, &address->address)) return -1;
    int made = socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
    if (made < 0 && (errno == EMFILE || errno == ENFILE)) transfer->fault = CCURL_FAULT_DESCRIPTORS;
    ccurl_socket *known = made >= 0 ? ccurl_connections_socket(connections, made) : NULL;
    if (made >= 0 && !known) {
        close(made);
        made = -1;
    }
    if (known) {
        ccurl_connections_forget(connections, made);
        known->is_ours = true;
        if (transfer->lifetime) known->retires_at = ccurl_milliseconds_now() + transfer->lifetime;
    }
    unsigned count = sizeof transfer->own.opened / sizeof transfer->own.opened[0];
    transfer->own.opened[transfer->own.opened_count++ % count] = made;
    return made;
}

/// Forgets the socket, whose number may be used again.
static int on_close(void *context, int number) {
    ccurl_connections *connections = context;
    connections->has_closed = true;
    ccurl_socket *socket = ccurl_connections_socket(connections, number);
    if (socket) ccurl_early_take(socket, number);
    ccurl_connections_forget(connections, number);
    return close(number);
}

void ccurl_connections_serve(ccurl_connections *connections, ccurl_transfer *transfer) {
    transfer->own.connections = connections;
    ccurl.easy_setopt(transfer->easy, OPTION_PREREQDATA, transfer);
    ccurl.easy_setopt(transfer->easy, OPTION_PREREQFUNCTION, on_prereq);
    ccurl.easy_setopt(transfer->easy, OPTION_OPENSOCKETDATA, transfer);
    ccurl.easy_setopt(transfer->easy, OPTION_OPENSOCKETFUNCTION, on_socket);
    ccurl.easy_setopt(transfer->easy, OPTION_CLOSESOCKETDATA, connections);
    ccurl.easy_setopt(transfer->easy, OPTION_CLOSESOCKETFUNCTION, on_close);
}

// MARK: Transfers

void ccurl_connections_start_waiting(ccurl_transfer *transfer) {
    transfer->own.is_connecting = true;
    transfer->own.connections->connecting++;
}

void ccurl_connections_stop_waiting(ccurl_transfer *transfer) {
    if (transfer->own.is_connecting) transfer->own.connections->connecting--;
    transfer->own.is_connecting = false;
}

bool ccurl_connections_allow_restart(ccurl_transfer *transfer) {
    if (transfer->fault != CCURL_FAULT_STALE) return false;
    transfer->fault = CCURL_FAULT_NONE;
    transfer->error[0] = 0;
    transfer->is_connected = false;
    return true;
}

#endif
