/* See relays.h. */
#include "relays.h"

static uint8_t is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The number of so many decimal digits, or -1. */
static int32_t decimal(const char *text, uint8_t length)
{
    int32_t value = 0;
    for (uint8_t i = 0; i < length; i++) {
        if (!is_digit(text[i]))
            return -1;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

/* Whether the line begins so and has so many characters after it. */
static uint8_t is(const struct relays *r, const char *word, uint8_t rest)
{
    uint8_t n = 0;
    while (word[n] != 0) {
        if (n >= r->length || r->line[n] != word[n])
            return 0;
        n++;
    }
    return r->length == n + rest;
}

/* The number of a relay, or -1. */
static int8_t relay(char c)
{
    return c >= '0' && c <= '7' ? (int8_t)(c - '0') : -1;
}

static char *append(char *to, const char *text)
{
    while (*text != 0)
        *to++ = *text++;
    return to;
}

static char *append_decimal(char *to, uint8_t value, uint8_t digits)
{
    for (uint8_t i = digits; i > 0; i--) {
        to[i - 1] = (char)('0' + value % 10);
        value /= 10;
    }
    return to + digits;
}

/* Carries out the line; returns whether it was a command. */
static uint8_t obey(struct relays *r, char answer[RELAYS_ANSWER])
{
    char *end = answer;
    if (is(r, "MK", 3)) {
        int32_t mask = decimal(r->line + 2, 3);
        if (mask < 0 || mask > 255)
            return 0;
        r->closed = (uint8_t)mask;
    } else if (is(r, "SPK", 8)) {
        uint8_t mask = 0;
        for (uint8_t i = 3; i < 11; i++) {
            if (r->line[i] != '0' && r->line[i] != '1')
                return 0;
            mask = (uint8_t)(mask << 1 | (r->line[i] - '0'));
        }
        r->closed = mask;
    } else if (is(r, "SK", 1) || is(r, "RK", 1)) {
        int8_t n = relay(r->line[2]);
        if (n < 0)
            return 0;
        if (r->line[0] == 'S')
            r->closed |= (uint8_t)(1u << n);
        else
            r->closed &= (uint8_t)~(1u << n);
    } else if (is(r, "RPK", 0)) {
        for (uint8_t i = 0; i < 8; i++)
            *end++ = r->closed & (0x80u >> i) ? '1' : '0';
    } else if (is(r, "RPK", 1)) {
        int8_t n = relay(r->line[3]);
        if (n < 0)
            return 0;
        *end++ = r->closed & (1u << n) ? '1' : '0';
    } else if (is(r, "PK", 0)) {
        end = append_decimal(end, r->closed, 3);
    } else if (is(r, "VER", 0)) {
        end = append(end, "KIBITZER ");
        end = append_decimal(end, RELAYS_VERSION, 1);
    } else if (is(r, "DM", 4)) {
        int32_t ms = decimal(r->line + 2, 4);
        if (ms < 100 || ms > 5000)
            return 0;
        r->dead_man_ms = (uint16_t)ms;
    } else if (!is(r, "KA", 0)) {
        return 0;
    }
    if (end != answer)
        *end++ = '\r';
    *end = 0;
    return 1;
}

void relays_start(struct relays *r, uint32_t now_ms)
{
    r->closed = 0;
    r->length = 0;
    r->lost = 0;
    r->dead_man_ms = RELAYS_DEAD_MAN_MS;
    r->commanded_at = now_ms;
    r->heard_at = now_ms;
}

const char *relays_hear(struct relays *r, uint8_t byte, uint32_t now_ms, char answer[RELAYS_ANSWER])
{
    answer[0] = 0;
    relays_tick(r, now_ms);
    if (now_ms - r->heard_at > RELAYS_LINE_MS) {
        r->length = 0;
        r->lost = 0;
    }
    r->heard_at = now_ms;
    if (byte == '\n')
        return answer;
    if (byte != '\r') {
        if (r->length < RELAYS_LINE)
            r->line[r->length++] = (char)byte;
        else
            r->lost = 1;
        return answer;
    }
    if (r->lost || !obey(r, answer))
        answer[0] = 0;
    else
        r->commanded_at = now_ms;
    r->length = 0;
    r->lost = 0;
    return answer;
}

void relays_tick(struct relays *r, uint32_t now_ms)
{
    if (r->closed != 0 && now_ms - r->commanded_at >= r->dead_man_ms)
        r->closed = 0;
}
