#include "CIsolation.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

pid_t isolation_start(int *end) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    pid_t copy = fork();
    if (copy != 0) {
        close(ends[1]);
        *end = ends[0];
        return copy;
    }
    close(ends[0]);
    *end = ends[1];
    const int crashes[] = {SIGABRT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGALRM};
    for (size_t index = 0; index < sizeof crashes / sizeof *crashes; index++) signal(crashes[index], SIG_DFL);
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    return 0;
}

void isolation_expect(int milliseconds) {
    struct itimerval timer = {{0, 0}, {milliseconds / 1000, (milliseconds % 1000) * 1000}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

void isolation_end(void) { _exit(0); }
