/* The board's logic behind a pseudo-terminal of this machine: for tests, and to try the host's
 * side without a board. Argument: the name that its port shall get. Every change of the relays is
 * a line on stdout, `milliseconds mask`. Ends when stdin ends.
 */
#define _XOPEN_SOURCE 600
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "relays.h"

static uint32_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint32_t)(t.tv_sec * 1000 + t.tv_nsec / 1000000);
}

static int fail(const char *what)
{
    perror(what);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s PORT\n", argv[0]);
        return 2;
    }
    int near = posix_openpt(O_RDWR | O_NOCTTY);
    if (near < 0 || grantpt(near) != 0 || unlockpt(near) != 0)
        return fail("pseudo-terminal");
    const char *name = ptsname(near);
    /* Kept open, or the near end could not be read while no program has it open. */
    int far = name == NULL ? -1 : open(name, O_RDWR | O_NOCTTY);
    struct termios raw;
    if (far < 0 || tcgetattr(far, &raw) != 0)
        return fail("its other end");
    cfmakeraw(&raw);
    if (tcsetattr(far, TCSANOW, &raw) != 0 || symlink(name, argv[1]) != 0)
        return fail(argv[1]);

    struct relays board;
    char answer[RELAYS_ANSWER];
    uint8_t shown = 0;
    relays_start(&board, now_ms());
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        struct pollfd ready[2] = {{near, POLLIN, 0}, {0, POLLIN, 0}};
        poll(ready, 2, 1);
        if (ready[1].revents != 0) {
            char nothing[64];
            if (read(0, nothing, sizeof nothing) <= 0)
                break;
        }
        if (ready[0].revents & POLLIN) {
            uint8_t bytes[64];
            ssize_t n = read(near, bytes, sizeof bytes);
            for (ssize_t i = 0; i < n; i++) {
                const char *told = relays_hear(&board, bytes[i], now_ms(), answer);
                if (write(near, told, strlen(told)) < 0)
                    return fail("answer");
                if (board.closed != shown)
                    printf("%u %u\n", (unsigned)now_ms(), (unsigned)(shown = board.closed));
            }
        }
        relays_tick(&board, now_ms());
        if (board.closed != shown)
            printf("%u %u\n", (unsigned)now_ms(), (unsigned)(shown = board.closed));
        fflush(stdout);
    }
    unlink(argv[1]);
    return 0;
}
