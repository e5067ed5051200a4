//! Real hands on a thread of their own, so that a loop that must not wait can use them.
//!
//! Takes one action at a time and gives back how it ended. Must never press anything after it was
//! told to release, and must let go within a bounded time however it is left.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::release::LetGo;
use super::{ActError, Actuator, Done, Hands};
use crate::types::{Action, Armed, Clock, KeyTiming, Stroke, Time};

/// How often a device is tended while nothing is to be done.
const TEND: Duration = Duration::from_millis(100);

/// How long an action under way may take to end after everything was released. Serial hands need
/// two milliseconds; a synthetic keyboard ends its hold.
const PATIENCE: Duration = Duration::from_millis(200);

/// How soon a caller shall ask again for an action that is late.
const AGAIN: Duration = Duration::from_millis(1);

struct Order {
    action: Action,
    permit: Armed,
    /// Void once a later release was asked for.
    round: u64,
}

/// What both sides see.
#[derive(Default)]
struct Shared {
    /// Counts the times that everything was released.
    round: AtomicU64,
    /// An action is under way in the thread.
    acting: AtomicBool,
    away: Mutex<Option<String>>,
}

/// An actuator on its own thread.
pub struct Worker {
    orders: Option<Sender<Order>>,
    ended: Receiver<(u64, Result<Done, ActError>)>,
    shared: Arc<Shared>,
    let_go: Option<Arc<dyn LetGo>>,
    timing: KeyTiming,
    clock: Arc<dyn Clock>,
    /// When the action under way is expected to end.
    expected: Option<Time>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Moves the hands to a thread of their own.
    ///
    /// # Errors
    /// [`ActError::Gone`] when the system gives no thread.
    pub fn spawn(hands: Box<dyn Actuator>, clock: Arc<dyn Clock>) -> Result<Self, ActError> {
        let (orders, taken) = channel::<Order>();
        let (told, ended) = channel();
        let shared = Arc::new(Shared::default());
        let (let_go, timing) = (hands.let_go(), hands.timing());
        let theirs = Arc::clone(&shared);
        let watch = Arc::clone(&clock);
        let thread = std::thread::Builder::new()
            .name("hands".into())
            .spawn(move || serve(hands, &taken, &told, &theirs, &*watch))
            .map_err(|e| ActError::Gone(format!("no thread for the hands: {e}")))?;
        Ok(Self {
            orders: Some(orders),
            ended,
            shared,
            let_go,
            timing,
            clock,
            expected: None,
            thread: Some(thread),
        })
    }

    /// Waits until nothing is under way in the thread; tells whether that is so.
    fn settle(&self) -> bool {
        // Real time: the thread may hang in a system call whatever the run's clock says.
        let until = std::time::Instant::now() + PATIENCE;
        while self.shared.acting.load(Ordering::SeqCst) {
            if std::time::Instant::now() >= until {
                return false;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        true
    }
}

/// The thread: orders in, ends out.
fn serve(
    mut hands: Box<dyn Actuator>,
    orders: &Receiver<Order>,
    told: &Sender<(u64, Result<Done, ActError>)>,
    shared: &Shared,
    clock: &dyn Clock,
) {
    loop {
        match orders.recv_timeout(TEND) {
            Ok(order) => {
                let round = order.round;
                let void = || shared.round.load(Ordering::SeqCst) != round;
                let ended = perform(hands.as_mut(), order, &void, clock);
                note_away(shared, hands.as_ref());
                shared.acting.store(false, Ordering::SeqCst);
                if told.send((round, ended)).is_err() {
                    break;
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                hands.tend();
                note_away(shared, hands.as_ref());
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    // Nobody is left to hear of an error, which means that the device is gone.
    let _ = hands.release_all();
}

fn note_away(shared: &Shared, hands: &dyn Actuator) {
    *shared.away.lock().unwrap_or_else(PoisonError::into_inner) = hands.away();
}

fn perform(
    hands: &mut dyn Actuator,
    order: Order,
    void: &dyn Fn() -> bool,
    clock: &dyn Clock,
) -> Result<Done, ActError> {
    let Order { action, permit, .. } = order;
    if let (Some(window), Some(origin)) = (action.window, action.origin) {
        hands.expect_at(window, origin);
    }
    let mut times: Option<(Time, Time)> = None;
    for stroke in &action.strokes {
        if void() {
            return Err(ActError::Stopped);
        }
        let begun = clock.now();
        hands.perform(stroke, action.window, &permit)?;
        let (down, up) = match stroke {
            Stroke::Key(_) => hands.last_key().unwrap_or((begun, clock.now())),
            _ => (begun, clock.now()),
        };
        times = Some((times.map_or(down, |(first, _)| first), up));
    }
    let now = clock.now();
    let (down, up) = times.unwrap_or((now, now));
    Ok(Done { action, down, up })
}

impl Hands for Worker {
    fn start(&mut self, action: Action, permit: Armed, now: Time) -> Result<(), ActError> {
        if self.expected.is_some() || self.shared.acting.load(Ordering::SeqCst) {
            return Err(ActError::Busy);
        }
        if !permit.is_valid(now) {
            return Err(ActError::Expired);
        }
        if let Some(why) = self.away() {
            return Err(ActError::Away(why));
        }
        let strokes = u32::try_from(action.strokes.len()).unwrap_or(u32::MAX);
        let order = Order {
            action,
            permit,
            round: self.shared.round.load(Ordering::SeqCst),
        };
        self.shared.acting.store(true, Ordering::SeqCst);
        let sent = self.orders.as_ref().is_some_and(|o| o.send(order).is_ok());
        if !sent {
            self.shared.acting.store(false, Ordering::SeqCst);
            return Err(ActError::Gone("the thread of the hands has ended".into()));
        }
        self.expected = Some(now + self.timing.period().saturating_mul(strokes));
        Ok(())
    }

    fn poll(&mut self, _now: Time) -> Option<Result<Done, ActError>> {
        loop {
            match self.ended.try_recv() {
                // What was given up is not reported.
                Ok((round, _)) if round != self.shared.round.load(Ordering::SeqCst) => {}
                Ok((_, ended)) => {
                    self.expected = None;
                    return Some(ended);
                }
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => {
                    self.shared.acting.store(false, Ordering::SeqCst);
                    let gone = || ActError::Gone("the thread of the hands has ended".into());
                    return self.expected.take().map(|_| Err(gone()));
                }
            }
        }
    }

    /// When the action should have ended; a moment from now if it is late.
    fn due(&self) -> Option<Time> {
        self.expected.map(|at| at.max(self.clock.now() + AGAIN))
    }

    fn release_all(&mut self) -> Result<(), ActError> {
        self.shared.round.fetch_add(1, Ordering::SeqCst);
        self.expected = None;
        let Some(let_go) = &self.let_go else {
            // Hands that cannot be interrupted let go of everything by ending what they do.
            return match self.settle() {
                true => Ok(()),
                false => Err(ActError::Gone("the hands do not answer".into())),
            };
        };
        let first = let_go.let_go();
        if self.shared.acting.load(Ordering::SeqCst) {
            // The thread may have pressed after that.
            self.settle();
            return let_go.let_go();
        }
        first
    }

    fn timing(&self) -> KeyTiming {
        self.timing
    }

    fn away(&self) -> Option<String> {
        let away = self.shared.away.lock();
        away.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Err(error) = self.release_all() {
            tracing::warn!(%error, "releasing the hands");
        }
        drop(self.orders.take());
        let Some(thread) = self.thread.take() else {
            return;
        };
        let until = std::time::Instant::now() + PATIENCE;
        while !thread.is_finished() {
            if std::time::Instant::now() >= until {
                // It hangs in a system call; the process must be able to end all the same.
                return;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        let _ = thread.join();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Hover;
    use super::*;
    use crate::types::{Point, SystemClock};
    use std::time::Instant;

    /// Hands that hold a key until the time is over or somebody lets go.
    struct Slow {
        hold: Duration,
        held: Arc<Held>,
        clock: Arc<dyn Clock>,
        last: Option<(Time, Time)>,
    }

    #[derive(Default)]
    struct Held {
        down: AtomicBool,
        presses: AtomicU64,
        let_go: AtomicU64,
        panics: AtomicBool,
    }

    impl LetGo for Held {
        fn let_go(&self) -> Result<(), ActError> {
            self.down.store(false, Ordering::SeqCst);
            self.let_go.fetch_add(1, Ordering::SeqCst);
            Ok(())
        }
    }

    impl Actuator for Slow {
        fn perform(&mut self, _: &Stroke, _: Option<u32>, _: &Armed) -> Result<(), ActError> {
            assert!(!self.held.panics.load(Ordering::SeqCst), "as asked");
            let down = self.clock.now();
            self.held.presses.fetch_add(1, Ordering::SeqCst);
            self.held.down.store(true, Ordering::SeqCst);
            while self.held.down.load(Ordering::SeqCst) {
                if self.clock.now() >= down + self.hold {
                    self.held.down.store(false, Ordering::SeqCst);
                    self.last = Some((down, self.clock.now()));
                    return Ok(());
                }
                std::thread::sleep(Duration::from_micros(100));
            }
            Err(ActError::Stopped)
        }
        fn hover(&mut self, _: Point, _: &Armed) -> Result<Hover, ActError> {
            Err(ActError::Unsupported("no pointer".into()))
        }
        fn release_all(&mut self) -> Result<(), ActError> {
            self.held.let_go()
        }
        fn last_key(&self) -> Option<(Time, Time)> {
            self.last
        }
        fn let_go(&self) -> Option<Arc<dyn LetGo>> {
            Some(Arc::clone(&self.held) as Arc<dyn LetGo>)
        }
    }

    fn worker(hold: Duration) -> (Arc<dyn Clock>, Arc<Held>, Worker) {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
        let held = Arc::new(Held::default());
        let slow = Slow {
            hold,
            held: Arc::clone(&held),
            clock: Arc::clone(&clock),
            last: None,
        };
        let worker = Worker::spawn(Box::new(slow), Arc::clone(&clock)).expect("a thread");
        (clock, held, worker)
    }

    fn action(keys: usize) -> Action {
        Action {
            id: 1,
            cause_seq: 1,
            cause_at: Time::ZERO,
            expires_at: Time::from_millis(60_000),
            strokes: vec![Stroke::Key("x".into()); keys],
            window: None,
            origin: None,
        }
    }

    fn permit() -> Armed {
        Armed::grant(1, Time::from_millis(60_000))
    }

    fn ended(worker: &mut Worker, clock: &dyn Clock) -> Result<Done, ActError> {
        let began = Instant::now();
        loop {
            if let Some(ended) = worker.poll(clock.now()) {
                return ended;
            }
            assert!(began.elapsed() < Duration::from_secs(20), "it never ended");
            std::thread::sleep(Duration::from_micros(100));
        }
    }

    #[test]
    fn one_action_at_a_time_and_its_times_are_told() {
        let (clock, held, mut worker) = worker(Duration::from_millis(20));
        let asked = clock.now();
        worker.start(action(2), permit(), asked).expect("free");
        let busy = worker.start(action(1), permit(), clock.now());
        assert!(matches!(busy, Err(ActError::Busy)), "{busy:?}");
        assert!(worker.due().is_some());
        let done = ended(&mut worker, &*clock).expect("made");
        assert!(done.down >= asked && done.up.since(done.down) >= Duration::from_millis(40));
        assert_eq!(held.presses.load(Ordering::SeqCst), 2);
        assert_eq!(worker.due(), None);
        assert!(worker.poll(clock.now()).is_none());
        let void = Armed::grant(2, clock.now());
        let late = worker.start(action(1), void, clock.now());
        assert!(matches!(late, Err(ActError::Expired)), "{late:?}");
    }

    #[test]
    fn a_release_ends_the_hold_and_the_rest_and_is_not_reported() {
        let (clock, held, mut worker) = worker(Duration::from_secs(60));
        worker
            .start(action(3), permit(), clock.now())
            .expect("free");
        while !held.down.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        worker.release_all().expect("released");
        assert!(!held.down.load(Ordering::SeqCst));
        assert_eq!(held.presses.load(Ordering::SeqCst), 1, "the rest is void");
        assert!(worker.poll(clock.now()).is_none());
        // And the hands are free for the next.
        worker
            .start(action(1), permit(), clock.now())
            .expect("free");
        while held.presses.load(Ordering::SeqCst) < 2 {
            std::thread::yield_now();
        }
        drop(worker);
        assert!(!held.down.load(Ordering::SeqCst), "dropped hands let go");
    }

    #[test]
    fn hands_that_panic_are_gone_and_have_let_go() {
        let (clock, held, mut worker) = worker(Duration::from_millis(1));
        held.panics.store(true, Ordering::SeqCst);
        worker
            .start(action(1), permit(), clock.now())
            .expect("free");
        let gone = ended(&mut worker, &*clock);
        assert!(matches!(gone, Err(ActError::Gone(_))), "{gone:?}");
        let gone = worker.start(action(1), permit(), clock.now());
        assert!(matches!(gone, Err(ActError::Gone(_))), "{gone:?}");
    }
}
