#define _GNU_SOURCE
#include "CCounts.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char small[] = "{\"id\":1,\"title\":\"a\",\"done\":true}";
static char list[2048];
static char events[65536];
static char lines[4096];

static void append(char *text, const char *part) { strcpy(text + strlen(text), part); }

static void fill(void) {
    append(list, "[");
    for (int index = 0; index < 10; index++) {
        append(list, index ? "," : "");
        append(list, small);
    }
    append(list, "]");
    for (int index = 0; index < 3; index++) append(lines, "{\"id\":1,\"title\":\"a\",\"done\":true}\n");
}

static void fill_events(int count) {
    events[0] = 0;
    char *end = events;
    for (int index = 0; index < count; index++) end += sprintf(end, "data: %s\n\n", small);
    strcpy(end, "data: [DONE]\n\n");
}

static int answer(int connection, const char *path) {
    static atomic_long number;
    const char *type = "application/json", *body = small;
    if (strcmp(path, "/list") == 0) body = list;
    if (strcmp(path, "/lines") == 0) (type = "application/x-ndjson", body = lines);
    if (strncmp(path, "/events", 7) == 0) {
        type = "text/event-stream";
        fill_events(atoi(path + 7));
        body = events;
    }
    char head[512];
    // Eight fields, as of usual servers. They differ from reply to reply.
    int size = sprintf(
        head,
        "HTTP/1.1 200 OK\r\nServer: counts\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Type: %s\r\n"
        "Content-Length: %zu\r\nConnection: keep-alive\r\nETag: \"5f0\"\r\nVary: Accept\r\nX-Request-Id: %08lx\r\n\r\n",
        type, strlen(body), atomic_fetch_add(&number, 1)
    );
    size_t rest = strlen(body);
    if (write(connection, head, (size_t)size) != size) return -1;
    for (const char *next = body; rest > 0;) {
        ssize_t written = write(connection, next, rest);
        if (written <= 0) return -1;
        next += written;
        rest -= (size_t)written;
    }
    return 0;
}

/// One connection at a time is enough: the calls follow one another.
static void *serve_connection(void *context) {
    int connection = (int)(intptr_t)context;
    char request[8192];
    size_t size = 0;
    while (1) {
        ssize_t more = read(connection, request + size, sizeof request - 1 - size);
        if (more <= 0) break;
        size += (size_t)more;
        request[size] = 0;
        char *end = strstr(request, "\r\n\r\n");
        if (!end) continue;
        char *length = strcasestr(request, "content-length:");
        size_t whole = (size_t)(end + 4 - request) + (length ? (size_t)atol(length + 15) : 0);
        if (size < whole) continue;
        char path[64] = "";
        sscanf(request, "%*s %63s", path);
        if (answer(connection, path) != 0) break;
        size = 0;
    }
    close(connection);
    return NULL;
}

static void *accept_all(void *context) {
    int listener = (int)(intptr_t)context;
    while (1) {
        int connection = accept(listener, NULL, NULL);
        if (connection < 0) continue;
        int on = 1;
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        pthread_t thread;
        pthread_create(&thread, NULL, serve_connection, (void *)(intptr_t)connection);
        pthread_detach(thread);
    }
}

int counts_serve(void) {
    fill();
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 16) != 0) return 1;
    getsockname(listener, (struct sockaddr *)&address, &size);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    pthread_t thread;
    pthread_create(&thread, NULL, accept_all, (void *)(intptr_t)listener);
    char byte;
    while (read(0, &byte, 1) > 0) {}
    return 0;
}
