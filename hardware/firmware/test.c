/* The board's logic without a board. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "relays.h"

static int failed;

#define CHECK(what) \
    do { \
        if (!(what)) { \
            printf("line %d: %s\n", __LINE__, #what); \
            failed = 1; \
        } \
    } while (0)

static char told[256];

/* All answers to these bytes, one after the other. */
static const char *hear(struct relays *r, const char *bytes, size_t length, uint32_t now)
{
    char answer[RELAYS_ANSWER];
    told[0] = 0;
    for (size_t i = 0; i < length; i++) {
        const char *one = relays_hear(r, (uint8_t)bytes[i], now, answer);
        CHECK(strlen(one) < RELAYS_ANSWER);
        if (strlen(told) + strlen(one) < sizeof told)
            strcat(told, one);
    }
    return told;
}

#define HEAR(text, now) hear(&r, text, sizeof text - 1, now)

int main(void)
{
    struct relays r;

    /* The commands of the manual. */
    relays_start(&r, 0);
    CHECK(r.closed == 0);
    CHECK(strcmp(HEAR("RPK\r", 0), "00000000\r") == 0);
    CHECK(strcmp(HEAR("MK005\rRPK\r", 1), "00000101\r") == 0 && r.closed == 5);
    CHECK(strcmp(HEAR("SK7\rRK0\rPK\r", 2), "132\r") == 0 && r.closed == 0x84);
    CHECK(strcmp(HEAR("RPK7\rRPK0\r", 3), "1\r0\r") == 0);
    CHECK(strcmp(HEAR("SPK10000001\r", 4), "") == 0 && r.closed == 0x81);
    CHECK(strcmp(HEAR("MK255\rPK\rMK000\r", 5), "255\r") == 0 && r.closed == 0);
    CHECK(strcmp(HEAR("VER\r\n", 6), "KIBITZER 1\r") == 0);

    /* What is no command changes nothing and is not answered. */
    HEAR("MK001\r", 10);
    const char *nothing[] = {"MK256\r", "MK-01\r", "MK+01\r", "MK01\r",       "MK0011\r", "SK8\r",
                             "SK\r",    "RK12\r",  "SPK1\r",  "SPK00000002\r", "\r",       "mk000\r",
                             "RPK8\r",  "DM0099\r", "DM9999\r", "DM1\r",      "KAKA\r",   "xMK000\r"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        CHECK(strcmp(hear(&r, nothing[i], strlen(nothing[i]), 11), "") == 0 && r.closed == 1);
    CHECK(r.dead_man_ms == 500);
    /* A line without an end is bounded, and the next one is understood. */
    for (int i = 0; i < 1000; i++)
        HEAR("MK002", 12);
    CHECK(r.closed == 1);
    HEAR("\rMK002\r", 12);
    CHECK(r.closed == 2);
    /* Half a line that a host left behind is forgotten after a while. */
    HEAR("MK0", 20);
    HEAR("MK004\r", 20 + RELAYS_LINE_MS + 1);
    CHECK(r.closed == 4);

    /* The dead man: silence opens, and garbage is silence. */
    relays_start(&r, 1000);
    HEAR("MK001\r", 1000);
    relays_tick(&r, 1499);
    CHECK(r.closed == 1);
    HEAR("garbage\r", 1499);
    relays_tick(&r, 1500);
    CHECK(r.closed == 0);
    HEAR("MK001\r", 2000);
    for (uint32_t t = 2000; t < 5000; t += 120) {
        HEAR("KA\r", t);
        relays_tick(&r, t + 119);
        CHECK(r.closed == 1);
    }
    relays_tick(&r, 6000);
    CHECK(r.closed == 0);
    HEAR("DM0100\rMK001\r", 7000);
    relays_tick(&r, 7099);
    CHECK(r.closed == 1);
    relays_tick(&r, 7100);
    CHECK(r.closed == 0);
    /* It is looked at before a late byte is taken, too. */
    HEAR("MK001\r", 8000);
    HEAR("K", 9000);
    CHECK(r.closed == 0);
    /* The clock runs over after 49 days. */
    relays_start(&r, 0xffffff00u);
    HEAR("MK001\r", 0xffffff00u);
    relays_tick(&r, 0x10u);
    CHECK(r.closed == 1);
    relays_tick(&r, 0x200u);
    CHECK(r.closed == 0);

    /* Any bytes: nothing is written out of bounds (run it with -fsanitize=address), and the next
     * command is understood. */
    srand(1);
    relays_start(&r, 0);
    for (uint32_t i = 0; i < 1000000; i++) {
        char byte = (char)(rand() & 0xff);
        hear(&r, &byte, 1, i / 10);
        CHECK(r.length <= RELAYS_LINE);
    }
    HEAR("\rMK170\r", 100000);
    CHECK(r.closed == 170);

    printf("%s\n", failed ? "FAILED" : "ok");
    return failed;
}
