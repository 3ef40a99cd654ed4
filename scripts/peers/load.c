// Asks for one URL at a constant rate and prints how long the answers took, counted from when each request was due.
//
// Usage: load PORT PATH RATE SECONDS CONNECTIONS
//
// wrk sends the next request when the last was answered, so a server that stalls is asked less, and its stall counts
// once ("coordinated omission"). Here requests are due at fixed times. A due request takes any free connection; if
// none is free it waits, and that wait is part of its time, as it would be for a user. Nothing is left out: what was
// not answered one second after the end counts as that old. Of the tools in Debian 12, h2load --rps sends in bursts
// every 10 ms and counts from the sending, hey -q counts from the sending as well, and httperf measures whole sessions
// to the millisecond; so this is our own.
//
// Prints one line of JSON: times in microseconds, and `late`, the p99 of how long after its time a request was sent
// though a connection was free. That is the error of this program; on a machine without spare time it is large, and
// then the figures say more about the machine than about the server.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    int descriptor;
    int64_t due;            // of the request under way, 0 if there is none
    long left;              // octets of the body still to come, -1 while the head is incomplete
    size_t filled;          // octets of the head read so far
    char head[8192];
} Connection;

static char request[1024];
static int requestLength;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void fail(const char *what) {
    fprintf(stderr, "load: %s: %s\n", what, errno ? strerror(errno) : "unexpected");
    exit(1);
}

static int ascending(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static double quantile(const int64_t *sorted, long count, double part) {
    return count ? sorted[(long)((count - 1) * part)] / 1000.0 : 0;
}

static void open_connection(Connection *connection, int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address)) fail("connect");
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connection->descriptor = descriptor;
}

static void send_request(Connection *connection, int64_t due) {
    connection->due = due;
    connection->left = -1;
    connection->filled = 0;
    // Far less than an empty send buffer holds, so it goes out whole.
    if (send(connection->descriptor, request, requestLength, MSG_NOSIGNAL) != requestLength) fail("send");
}

// Reads what has come; true once the answer is whole.
static int read_answer(Connection *connection) {
    static char sink[262144];
    for (;;) {
        int in_head = connection->left < 0;
        char *at = in_head ? connection->head + connection->filled : sink;
        size_t room = in_head ? sizeof connection->head - 1 - connection->filled : sizeof sink;
        ssize_t got = recv(connection->descriptor, at, room, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
        if (got <= 0) { errno = got ? errno : ECONNRESET; fail("the server closed a connection"); }
        if (!in_head) {
            connection->left -= got;
        } else {
            connection->filled += got;
            connection->head[connection->filled] = 0;
            char *end = strstr(connection->head, "\r\n\r\n");
            if (!end) {
                if (connection->filled >= sizeof connection->head - 1) { errno = 0; fail("a head over 8 KB"); }
                continue;
            }
            char *length = strcasestr(connection->head, "\r\ncontent-length:");
            if (strncmp(connection->head + 8, " 200", 4) || !length || length > end) {
                errno = 0;
                fail("no plain 200");
            }
            connection->left = atol(length + 17) - (connection->filled - (end + 4 - connection->head));
        }
        if (connection->left == 0) return 1;
        if (connection->left < 0) { errno = 0; fail("more octets than Content-Length says"); }
    }
}

int main(int count, char **arguments) {
    if (count != 6) { fputs("usage: load PORT PATH RATE SECONDS CONNECTIONS\n", stderr); return 2; }
    int port = atoi(arguments[1]), size = atoi(arguments[5]);
    double rate = atof(arguments[3]), seconds = atof(arguments[4]);
    long total = (long)(rate * seconds), sent = 0, answered = 0, prompt = 0, idle = size;
    if (total < 1 || size < 1) { fputs("load: nothing to do\n", stderr); return 2; }
    prctl(PR_SET_TIMERSLACK, 1000);  // nanoseconds; the default rounds waits up by 50 µs
    requestLength = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
                             arguments[2], port);
    if (requestLength >= (int)sizeof request) { fputs("load: the path is too long\n", stderr); return 2; }

    Connection *connections = calloc(size, sizeof *connections);
    Connection **free_ones = calloc(size, sizeof *free_ones);
    int64_t *times = calloc(total, sizeof *times), *late = calloc(total, sizeof *late);
    int queue = epoll_create1(0);
    for (int i = 0; i < size; i++) {
        open_connection(&connections[i], port);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &connections[i]};
        if (epoll_ctl(queue, EPOLL_CTL_ADD, connections[i].descriptor, &event)) fail("epoll_ctl");
        free_ones[size - 1 - i] = &connections[i];
    }

    int64_t start = now() + 1000000, end = start + (int64_t)((seconds + 1) * 1e9), blocked_until = 0;
    struct epoll_event events[256];
    while (answered < total) {
        int64_t time = now();
        if (time > end) break;
        while (sent < total && idle) {
            int64_t due = start + (int64_t)(sent * (1e9 / rate));
            if (due > time) break;
            // Only where no connection was free when it fell due is the delay not ours.
            if (due >= blocked_until) late[prompt++] = time - due;
            send_request(free_ones[--idle], due);
            if (!idle) blocked_until = INT64_MAX;
            sent++;
        }
        struct timespec wait = {.tv_sec = 0, .tv_nsec = 100000000};
        if (sent < total && idle) {
            int64_t until = start + (int64_t)(sent * (1e9 / rate)) - now();
            wait.tv_nsec = until < 0 ? 0 : until < 100000000 ? until : 100000000;
        }
        int ready = epoll_pwait2(queue, events, 256, &wait, NULL);
        for (int i = 0; i < ready; i++) {
            Connection *connection = events[i].data.ptr;
            if (!connection->due) { errno = 0; fail("an answer or an end that nobody asked for"); }
            if (!read_answer(connection)) continue;
            time = now();
            times[answered++] = time - connection->due;
            connection->due = 0;
            if (!idle) blocked_until = time;
            free_ones[idle++] = connection;
        }
    }
    long unanswered = total - answered;
    int64_t stop = now();
    for (long k = answered; k < total; k++) times[k] = stop - (start + (int64_t)(k * (1e9 / rate)));
    qsort(times, total, sizeof *times, ascending);
    qsort(late, prompt, sizeof *late, ascending);
    double took = (stop - start) / 1e9;
    printf("{\"requests\": %ld, \"unanswered\": %ld, \"rate\": %.1f, \"p50\": %.1f, \"p90\": %.1f, \"p99\": %.1f, "
           "\"p999\": %.1f, \"max\": %.1f, \"late\": %.1f}\n",
           total, unanswered, answered / took, quantile(times, total, 0.5), quantile(times, total, 0.9),
           quantile(times, total, 0.99), quantile(times, total, 0.999), quantile(times, total, 1),
           quantile(late, prompt, 0.99));
    return 0;
}
