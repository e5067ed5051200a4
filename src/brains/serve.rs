//! Our side of every protocol: lines are heard, answered in their order, and each answer is sent
//! at once.
//!
//! Takes an engine and a pair of streams. The conversation ends by a farewell, by the end of the
//! input, or when nobody reads an answer any more. A thread of its own hears, so that a farewell
//! and the end of the input are noticed while a line is being answered. A script that is piped in as
//! a whole, its farewell and all, gets its answers; a host that says farewell while it waits for an
//! answer gets none. Must never keep more than a bounded number of lines of bounded length.

use std::io::{ErrorKind, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::process::{Line, Lines};
use crate::types::Stop;

/// What a brain of ours does with the lines of one protocol.
pub trait Engine {
    /// The longest line in bytes that is listened to.
    const LONGEST: usize;

    /// When the input ends, what is being answered is cut short after this; `None`: never, for
    /// whoever pipes a question in wants its answer.
    const GRACE: Option<Duration>;

    /// Whether a line is the host's farewell. It has no answer, and nothing after it is heard.
    fn is_farewell(line: &str) -> bool;

    /// Answers a line that came at `heard`, by any number of lines.
    fn answer(&mut self, line: &str, heard: Instant, say: &mut dyn FnMut(&str));

    /// Answers a line that was longer than [`Self::LONGEST`].
    fn answer_too_long(&mut self, say: &mut dyn FnMut(&str));
}

/// Lines that wait to be answered. A host that sends more has to wait.
const WAITING: usize = 64;
/// A farewell this much later than the line before it was not piped in together with it.
const TOGETHER: Duration = Duration::from_millis(100);

/// Serves until a farewell, the end of the input, or an output that nobody reads any more. `stop`
/// must be the switch that the engine thinks under.
///
/// # Errors
/// When the system gives no thread.
pub fn serve<E: Engine>(
    mut engine: E,
    input: impl Read + Send + 'static,
    mut output: impl Write,
    stop: &Stop,
) -> std::io::Result<()> {
    let (tell, told) = sync_channel(WAITING);
    let gone = Arc::new(AtomicBool::new(false));
    let (stop, has_gone) = (stop.clone(), Arc::clone(&gone));
    std::thread::Builder::new()
        .name("host".into())
        .spawn(move || {
            let waits = listen::<E>(input, &tell);
            drop(tell);
            if !waits {
                has_gone.store(true, Ordering::SeqCst);
                stop.pull("the host has said farewell");
            } else if let Some(grace) = E::GRACE {
                std::thread::sleep(grace);
                stop.pull("the host has gone");
            }
        })?;
    while let Ok((line, heard)) = told.recv() {
        let mut lost = false;
        let mut say = |answer: &str| {
            if !lost && !gone.load(Ordering::SeqCst) {
                lost = writeln!(output, "{answer}")
                    .and_then(|()| output.flush())
                    .is_err();
            }
        };
        match line {
            Line::Whole(line) => engine.answer(&line, heard, &mut say),
            Line::TooLong => engine.answer_too_long(&mut say),
        }
        if lost {
            break;
        }
    }
    Ok(())
}

/// Hears lines until the last one: whether the host may still wait for answers.
fn listen<E: Engine>(mut input: impl Read, tell: &SyncSender<(Line, Instant)>) -> bool {
    let (mut lines, mut bytes) = (Lines::up_to(E::LONGEST), [0; 4096]);
    let (mut last, mut farewell) = (None, None);
    loop {
        let read = input.read(&mut bytes);
        let now = Instant::now();
        let mut give = |line: Line| {
            if matches!(&line, Line::Whole(text) if E::is_farewell(text)) {
                farewell = Some(now);
                return false;
            }
            last = Some(now);
            tell.send((line, now)).is_ok()
        };
        match read {
            Ok(n) if n > 0 => {
                if !lines.take(&bytes[..n], &mut give) {
                    break;
                }
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            _ => {
                lines.end(&mut give);
                break;
            }
        }
    }
    match (last, farewell) {
        (Some(last), Some(farewell)) => farewell <= last + TOGETHER,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender, channel};

    /// Says each line back; `think` until the switch is pulled, first.
    struct Echo(Stop, Sender<&'static str>);

    impl Engine for Echo {
        const LONGEST: usize = 10;
        const GRACE: Option<Duration> = Some(Duration::from_millis(1));

        fn is_farewell(line: &str) -> bool {
            line == "bye"
        }

        fn answer(&mut self, line: &str, _: Instant, say: &mut dyn FnMut(&str)) {
            if line == "think" {
                let _ = self.1.send("thinks");
                while !self.0.is_pulled() {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            say(line);
        }

        fn answer_too_long(&mut self, say: &mut dyn FnMut(&str)) {
            say("too long");
        }
    }

    fn echo() -> (Echo, Stop, Receiver<&'static str>) {
        let (stop, (tell, told)) = (Stop::new(), channel());
        (Echo(stop.clone(), tell), stop, told)
    }

    fn said(input: &'static [u8]) -> String {
        let (engine, stop, _told) = echo();
        let mut out = Vec::new();
        serve(engine, input, &mut out, &stop).expect("a thread");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_script_is_answered_whatever_ends_it() {
        assert_eq!(said(b"one\r\n\ntwo\rbye\nthree\n"), "one\ntwo\n");
        assert_eq!(said(b"one\ntwo"), "one\ntwo\n");
        assert_eq!(said(b"one\nand a much longer line\nbye"), "one\ntoo long\n");
        assert_eq!(said(b""), "");
        // The end of the input cuts a thought short, and its answer is given.
        assert_eq!(said(b"think\nbye"), "think\n");
    }

    #[test]
    fn more_lines_than_may_wait_are_answered() {
        let lines: Vec<String> = (0..10 * WAITING).map(|n| n.to_string()).collect();
        let text = lines.join("\n") + "\n";
        assert_eq!(said(text.clone().leak().as_bytes()), text);
    }

    /// An input that is told what to give.
    struct Told(Receiver<&'static [u8]>);

    impl Read for Told {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let bytes = self.0.recv().unwrap_or_default();
            into[..bytes.len()].copy_from_slice(bytes);
            Ok(bytes.len())
        }
    }

    #[test]
    fn who_says_farewell_while_it_waits_is_not_answered() {
        let (engine, stop, thinks) = echo();
        let (tell, told) = channel::<&[u8]>();
        let served = std::thread::spawn(move || {
            let mut out = Vec::new();
            serve(engine, Told(told), &mut out, &stop).expect("a thread");
            out
        });
        tell.send(b"one\nthink\n").expect("heard");
        thinks.recv().expect("it thinks");
        std::thread::sleep(2 * TOGETHER);
        tell.send(b"bye\n").expect("heard");
        assert_eq!(served.join().expect("no panic"), b"one\n");
    }

    /// An output whose reader has gone.
    struct Closed(u32);

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            self.0 += 1;
            Err(ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_closed_output_ends_it() {
        let (engine, stop, _told) = echo();
        let (tell, told) = channel();
        let mut out = Closed(0);
        tell.send(&b"one\ntwo\n"[..]).expect("heard");
        // The input stays open.
        serve(engine, Told(told), &mut out, &stop).expect("a thread");
        assert_eq!(out.0, 1, "nothing is written after it");
    }
}
