//! A brain that is kept running: started, asked, ended when it fails and started again.
//!
//! Takes what a protocol has to say to a process; gives answers or what went wrong and what is done
//! about it. A failure ends the process: whoever is late, lies or babbles may still be talking
//! about the last position when it is asked about the next. Must never ask a process that has
//! not greeted, or start one for ever.

use std::time::{Duration, Instant};

use super::process::{Launch, Process, Trouble};
use crate::types::Stop;

/// How long a brain may take from its start to its greeting; until then being late is no failure.
pub const STARTING: Duration = Duration::from_secs(10);
/// Pauses before a brain that failed is started again, by how often it failed in a row; after the
/// last one it is given up.
const PAUSES: [Duration; 5] = [
    Duration::ZERO,
    Duration::from_millis(250),
    Duration::from_secs(1),
    Duration::from_secs(4),
    Duration::from_secs(15),
];
/// How long telling a new process who we are may take.
const GREETING: Duration = Duration::from_millis(20);

/// How one protocol begins a conversation.
pub trait Protocol: Send {
    /// A new process: forgets the old one and tells it what it must know first. Waits for nothing.
    ///
    /// # Errors
    /// When the process cannot be told.
    fn begin(&mut self, process: &mut Process, until: Instant) -> Result<(), Trouble>;

    /// Waits until the process has greeted; returns at once when it has before.
    ///
    /// # Errors
    /// When it does not until then, or does it wrongly.
    fn greeted(
        &mut self,
        process: &mut Process,
        until: Instant,
        stop: &Stop,
    ) -> Result<(), Trouble>;

    /// What it is told before it has to go.
    fn farewell(&self) -> &'static [&'static str];
}

/// A brain and its conversation; dropping it dismisses it with the words of its protocol.
#[derive(Debug)]
pub struct Brain<P: Protocol> {
    launch: Launch,
    /// The conversation.
    pub protocol: P,
    process: Option<Process>,
    failures: u32,
    rests_until: Option<Instant>,
    given_up: bool,
    /// Whether it was stopped in the middle of a question: what it says next is an answer to that.
    owes: bool,
    pauses: &'static [Duration],
}

/// What went wrong, and what is done about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{who}: {trouble}{now}")]
pub struct Failure {
    /// The brain's name.
    pub who: String,
    /// What happened.
    pub trouble: Trouble,
    /// What is done with the process; empty when nothing has to be.
    pub now: String,
}

impl<P: Protocol> Brain<P> {
    /// Starts it, so that it gets ready while the board is still being looked for.
    ///
    /// # Errors
    /// When there is no such program. What ends a moment after its start is noticed when it is
    /// asked.
    pub fn new(launch: Launch, protocol: P) -> Result<Self, Trouble> {
        let mut brain = Self {
            launch,
            protocol,
            process: None,
            failures: 0,
            rests_until: None,
            given_up: false,
            owes: false,
            pauses: &PAUSES,
        };
        match brain.running() {
            Err(error @ Trouble::Start(_)) => Err(error),
            _ => Ok(brain),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.launch.name()
    }

    /// The process id, while it runs.
    pub fn id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// The process, started if it must be and may be.
    fn running(&mut self) -> Result<&mut Process, Trouble> {
        if self.given_up {
            return Err(Trouble::GivenUp);
        }
        if std::mem::take(&mut self.owes) {
            self.process = None;
        }
        if self.process.is_none() {
            if self.rests_until.is_some_and(|t| Instant::now() < t) {
                return Err(Trouble::Resting);
            }
            let mut process = Process::start(&self.launch)?;
            let until = Instant::now() + GREETING;
            self.protocol.begin(&mut process, until)?;
            self.process = Some(process);
        }
        self.process.as_mut().ok_or(Trouble::Resting)
    }

    /// Forgives all failures: it is started again at once. For a caller who begins something new and
    /// counts by himself how often.
    pub fn forgive(&mut self) {
        self.failures = 0;
        self.rests_until = None;
        self.given_up = false;
    }

    /// Asks it something; `ask` must not wait longer than `until`.
    ///
    /// # Errors
    /// What went wrong; the process is ended then, unless it is not to blame.
    pub fn asked<T>(
        &mut self,
        until: Instant,
        stop: &Stop,
        ask: impl FnOnce(&mut P, &mut Process) -> Result<T, Trouble>,
    ) -> Result<T, Failure> {
        let answer = self.try_asked(until, stop, ask);
        match answer {
            Ok(answer) => {
                self.failures = 0;
                Ok(answer)
            }
            Err(trouble) => Err(self.failed(trouble)),
        }
    }

    fn try_asked<T>(
        &mut self,
        until: Instant,
        stop: &Stop,
        ask: impl FnOnce(&mut P, &mut Process) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        self.running()?;
        let process = self.process.as_mut().ok_or(Trouble::Resting)?;
        match self.protocol.greeted(process, until, stop) {
            Ok(()) => {
                let answer = ask(&mut self.protocol, process);
                self.owes = matches!(answer, Err(Trouble::Stopped));
                answer
            }
            Err(Trouble::Late) if process.age() < STARTING => Err(Trouble::Starting),
            Err(Trouble::Late) => Err(Trouble::Wrong(format!(
                "no greeting within {} s of its start",
                STARTING.as_secs()
            ))),
            Err(trouble) => Err(trouble),
        }
    }

    /// Ends the process if it is to blame, and decides what becomes of it.
    fn failed(&mut self, trouble: Trouble) -> Failure {
        let mut now = String::new();
        if trouble.is_failure() {
            let was_running = self.process.take().is_some();
            let ended = match was_running && !matches!(trouble, Trouble::Ended(_)) {
                true => "it is killed and ",
                false => "it is ",
            };
            let refused = matches!(trouble, Trouble::Refused(_));
            let pause = self.pauses.get(self.failures as usize).filter(|_| !refused);
            self.failures += 1;
            now = match pause {
                Some(pause) if pause.is_zero() => {
                    self.rests_until = None;
                    // Started at once, so that it is ready for the next move.
                    match self.running() {
                        Ok(_) => format!("; {ended}started again"),
                        Err(error) => format!("; {ended}not started again: {error}"),
                    }
                }
                Some(pause) => {
                    self.rests_until = Some(Instant::now() + *pause);
                    format!("; {ended}started again after {} ms", pause.as_millis())
                }
                None if refused => {
                    self.given_up = true;
                    format!("; {ended}given up")
                }
                None => {
                    self.given_up = true;
                    format!(
                        "; {ended}given up after {} failures in a row",
                        self.failures
                    )
                }
            };
        }
        Failure {
            who: self.name().to_owned(),
            trouble,
            now,
        }
    }
}

impl<P: Protocol> Drop for Brain<P> {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.dismiss(self.protocol.farewell());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says its first line and nothing else.
    #[derive(Debug)]
    struct Silent;

    impl Protocol for Silent {
        fn begin(&mut self, _: &mut Process, _: Instant) -> Result<(), Trouble> {
            Ok(())
        }

        fn greeted(&mut self, _: &mut Process, _: Instant, _: &Stop) -> Result<(), Trouble> {
            Ok(())
        }

        fn farewell(&self) -> &'static [&'static str] {
            &[]
        }
    }

    const NONE: [Duration; 3] = [Duration::ZERO; 3];
    const LONG: [Duration; 2] = [Duration::ZERO, Duration::from_secs(3600)];

    fn brain(command: &str, pauses: &'static [Duration]) -> Brain<Silent> {
        let launch = Launch::parse("it", command).expect("a command");
        let mut brain = Brain::new(launch, Silent).expect("it starts");
        brain.pauses = pauses;
        brain
    }

    fn ask(brain: &mut Brain<Silent>) -> Result<String, Failure> {
        let until = Instant::now() + Duration::from_secs(60);
        let stop = Stop::new();
        brain.asked(until, &stop, |_, process| process.line(until, &stop))
    }

    fn fails(brain: &mut Brain<Silent>) -> String {
        ask(brain).expect_err("it fails").to_string()
    }

    #[test]
    fn who_always_fails_is_given_up() {
        let mut one = brain("sh -c 'exit 7'", &NONE);
        let ended = "it: it has ended: exit status 7; it is";
        for _ in 0..3 {
            assert_eq!(fails(&mut one), format!("{ended} started again"));
        }
        let last = format!("{ended} given up after 4 failures in a row");
        assert_eq!(fails(&mut one), last);
        let after = ask(&mut one).expect_err("it is not started");
        assert_eq!(after.trouble, Trouble::GivenUp);
        assert_eq!(one.id(), None);
    }

    #[test]
    fn who_fails_again_rests_until_it_is_forgiven() {
        let mut one = brain("sh -c 'exit 7'", &LONG);
        let ended = "it: it has ended: exit status 7; it is started again";
        assert_eq!(fails(&mut one), ended);
        assert_eq!(fails(&mut one), format!("{ended} after 3600000 ms"));
        assert_eq!(fails(&mut one), "it: it is started again after a pause");
        one.forgive();
        assert_eq!(fails(&mut one), ended);
    }

    #[test]
    fn an_answer_forgives_all_failures() {
        let mut brain = brain("sh -c 'echo $$; echo again; read x'", &LONG);
        for _ in 0..5 {
            let first = ask(&mut brain).expect("a number");
            assert_eq!(brain.id().map(|id| id.to_string()), Some(first));
            assert_eq!(ask(&mut brain).as_deref(), Ok("again"));
            let stop = Stop::new();
            let failure = brain
                .asked(Instant::now(), &stop, |_, process| {
                    process.line(Instant::now(), &stop)
                })
                .expect_err("silence");
            assert_eq!(
                failure.to_string(),
                "it: no answer in time; it is killed and started again"
            );
        }
    }

    /// The answer to a question that was stopped is not that to the next one.
    #[test]
    fn a_question_that_was_stopped_is_nobodys() {
        let mut brain = brain(
            "sh -c 'read x; echo to $x; read x; echo to $x; read x'",
            &LONG,
        );
        let mut ask = |question: &str, stop: &Stop| {
            let until = Instant::now() + Duration::from_secs(60);
            brain.asked(until, stop, |_, process| {
                process.say(question, until)?;
                process.line(until, stop)
            })
        };
        let stopped = Stop::new();
        stopped.pull("test");
        let failure = ask("one", &stopped).expect_err("stopped");
        assert_eq!(failure.to_string(), "it: stopped");
        for question in ["two", "three"] {
            let answer = ask(question, &Stop::new());
            assert_eq!(answer, Ok(format!("to {question}")));
        }
    }
}
