/* The relay board on an Arduino Uno or Nano (ATmega328P at 16 MHz).
 *
 * Relays 0 to 7 are on the pins D2 to D9. With ACTIVE_LOW=1 (most relay modules) a pin that is low
 * closes its relay. Pins float until they are outputs at the level that leaves relays open. A
 * watchdog restarts the board, and with that opens all relays, when this loop stands still.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "relays.h"

#ifndef ACTIVE_LOW
#define ACTIVE_LOW 1
#endif

#define BAUD_RATE 9600UL

/* Bytes that came while an answer was being written. */
#define ROOM 64
static volatile uint8_t heard[ROOM];
static volatile uint8_t heard_in, heard_out;
static volatile uint32_t milliseconds;

/* After a restart by the watchdog it is still running, and short. */
void stop_watchdog(void) __attribute__((naked, used, section(".init3")));
void stop_watchdog(void)
{
    MCUSR = 0;
    wdt_disable();
}

ISR(TIMER0_COMPA_vect)
{
    milliseconds++;
}

ISR(USART_RX_vect)
{
    uint8_t spoiled = UCSR0A & (1 << FE0 | 1 << DOR0);
    uint8_t byte = UDR0;
    uint8_t next = (uint8_t)(heard_in + 1) % ROOM;
    if (next == heard_out)
        return;
    /* A byte that is no byte spoils its line. */
    heard[heard_in] = spoiled ? 0 : byte;
    heard_in = next;
}

static uint32_t now_ms(void)
{
    uint8_t flags = SREG;
    cli();
    uint32_t now = milliseconds;
    SREG = flags;
    return now;
}

static void set_pins(uint8_t closed)
{
    uint8_t levels = ACTIVE_LOW ? (uint8_t)~closed : closed;
    PORTD = (uint8_t)((PORTD & 0x03) | levels << 2);
    PORTB = (uint8_t)((PORTB & 0xfc) | levels >> 6);
}

static void tell(const char *text)
{
    while (*text != 0) {
        while (!(UCSR0A & 1 << UDRE0))
            ;
        UDR0 = (uint8_t)*text++;
    }
}

int main(void)
{
    struct relays board;
    char answer[RELAYS_ANSWER];

    set_pins(0);
    DDRD |= 0xfc;
    DDRB |= 0x03;

    /* One interrupt per millisecond: 16 MHz / 64 / 250. */
    TCCR0A = 1 << WGM01;
    TCCR0B = 1 << CS01 | 1 << CS00;
    OCR0A = 249;
    TIMSK0 = 1 << OCIE0A;

    UBRR0 = (uint16_t)(F_CPU / (8 * BAUD_RATE) - 1);
    UCSR0A = 1 << U2X0;
    UCSR0B = 1 << RXCIE0 | 1 << RXEN0 | 1 << TXEN0;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;

    relays_start(&board, 0);
    wdt_enable(WDTO_250MS);
    sei();
    for (;;) {
        wdt_reset();
        uint32_t now = now_ms();
        if (heard_out != heard_in) {
            uint8_t byte = heard[heard_out];
            heard_out = (uint8_t)(heard_out + 1) % ROOM;
            const char *told = relays_hear(&board, byte, now, answer);
            set_pins(board.closed);
            tell(told);
        }
        relays_tick(&board, now);
        set_pins(board.closed);
    }
}
