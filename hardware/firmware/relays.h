/* What the relay board does: lines in, relays and answers out, a timer that opens all.
 *
 * Pure logic: it knows neither registers nor a clock. Whoever calls it hands over bytes and the
 * time, and sets the pins to `closed` after every call. It must never keep more of a line than a
 * command has, and never close a relay for anything but a whole, right command.
 *
 * The commands are those of the Ontrak ADR2200, each ended by a carriage return (0D):
 *
 *   MKddd        exactly the relays of this decimal mask are closed
 *   SPKbbbbbbbb  the same in binary, relay 7 first
 *   SKn, RKn     close, open relay n
 *   RPK          answers eight binary digits, relay 7 first
 *   RPKn         answers one digit
 *   PK           answers the mask, three decimal digits
 *
 * and these of its own:
 *
 *   VER          answers "KIBITZER 1": the version of this protocol
 *   DMdddd       from now on all relays open after so many milliseconds without a command
 *                (100 to 5000; 500 at the start)
 *   KA           nothing but a sign of life
 *
 * Anything else is no command: it changes nothing and is no sign of life.
 */
#ifndef KIBITZER_RELAYS_H
#define KIBITZER_RELAYS_H

#include <stdint.h>

#define RELAYS_VERSION 1
#define RELAYS_DEAD_MAN_MS 500
/* The longest command, SPKbbbbbbbb. */
#define RELAYS_LINE 11
/* The longest answer with its carriage return and a zero. */
#define RELAYS_ANSWER 14
/* The rest of a line that does not come within this time is given up: what a host left behind
 * must not spoil the first command of the next. */
#define RELAYS_LINE_MS 200

struct relays {
    /* Bit n is set while relay n is closed. */
    uint8_t closed;
    uint8_t length;
    /* The line is too long to be anything. */
    uint8_t lost;
    char line[RELAYS_LINE];
    uint16_t dead_man_ms;
    /* When the last command and the last byte came. The clock may run over. */
    uint32_t commanded_at;
    uint32_t heard_at;
};

/* All relays open. */
void relays_start(struct relays *r, uint32_t now_ms);

/* Takes one byte. Returns the answer to write, or an empty text. */
const char *relays_hear(struct relays *r, uint8_t byte, uint32_t now_ms, char answer[RELAYS_ANSWER]);

/* To be called at least every few milliseconds: opens all relays after a silence. */
void relays_tick(struct relays *r, uint32_t now_ms);

#endif
