//! The synthetic keyboard as a game that does not wait uses it: on a thread of its own, with
//! holds and gaps, on a real X server.

use std::sync::Arc;
use std::time::Duration;

use kibitzer::act::worker::Worker;
use kibitzer::act::{self, ActError, Actuator, Done, Hands};
use kibitzer::types::{
    Action, Clock, Focus, HandsSpec, ScreenHands, Stop, Stroke, SystemClock, Time,
};

use crate::relays::permit;
use crate::support::x11_window::{Plan, TestWindow, Xvfb, wait_for};
use crate::support::{alone, together};

const MS: fn(u64) -> Duration = Duration::from_millis;

fn open(x: &Xvfb, clock: &Arc<dyn Clock>, hands: ScreenHands) -> Box<dyn Actuator> {
    let spec = HandsSpec::Screen(hands);
    act::open(&spec, Some(&x.display), Arc::clone(clock), Stop::new()).expect("a keyboard")
}

fn keys(names: &[&str], window: u32) -> Action {
    Action {
        id: 1,
        cause_seq: 1,
        cause_at: Time::ZERO,
        expires_at: Time::from_millis(3_600_000),
        strokes: names.iter().map(|k| Stroke::Key((*k).into())).collect(),
        window: Some(window),
        origin: None,
    }
}

fn done(worker: &mut Worker, clock: &dyn Clock) -> Result<Done, ActError> {
    let mut ended = None;
    wait_for("the key", || {
        ended = worker.poll(clock.now());
        ended.is_some()
    });
    ended.expect("waited for")
}

/// Keys as they were heard, each down and up.
fn heard(window: &TestWindow, count: usize) -> Vec<String> {
    let mut all = Vec::new();
    wait_for("all keys", || {
        all.extend(window.events().into_iter().filter(|e| e.starts_with("key")));
        all.len() >= count
    });
    all
}

#[test]
fn a_hundred_keys_arrive_once_each_in_order_and_held() {
    let _together = together();
    let Some(x) = Xvfb::start("800x600x24") else {
        return;
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let w = Plan::new("Game", (100, 80, 200, 150)).open(&x);
    let hold = ScreenHands {
        hold: MS(20),
        gap: MS(10),
        ..ScreenHands::default()
    };
    let hands = open(&x, &clock, hold);
    let timing = hands.timing();
    assert_eq!(timing.period(), MS(30));
    let mut worker = Worker::spawn(hands, Arc::clone(&clock)).expect("a thread");
    w.events();
    let names = ["Left", "Right", "Up", "Down", "space"];
    let mut last: Option<Done> = None;
    for i in 0..100 {
        let asked = clock.now();
        let key = names[i * 7 % 5];
        worker
            .start(keys(&[key], w.id), permit(), asked)
            .expect("free");
        let made = done(&mut worker, &*clock).expect("made");
        assert!(made.down >= asked && made.up.since(made.down) >= timing.hold);
        if let Some(last) = last {
            assert!(made.down.since(last.up) >= timing.gap);
        }
        last = Some(made);
    }
    // Keycodes of the server's built-in US layout.
    let codes = [113, 114, 111, 116, 65];
    let expected: Vec<String> = (0..100)
        .flat_map(|i| {
            let code = codes[i * 7 % 5];
            [format!("key {code} state 0"), format!("key up {code}")]
        })
        .collect();
    assert_eq!(heard(&w, 200), expected);
}

#[test]
fn a_key_for_a_window_without_the_focus_follows_the_rule_of_the_profile() {
    let _together = together();
    let Some(x) = Xvfb::start("800x600x24") else {
        return;
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let check = || {
        let game = Plan::new("Game", (100, 80, 200, 150)).open(&x);
        let with = |focus| {
            open(
                &x,
                &clock,
                ScreenHands {
                    focus,
                    ..ScreenHands::default()
                },
            )
        };
        let key = |hands: &mut dyn Actuator, window: &TestWindow| {
            hands.perform(&Stroke::Key("shift+k".into()), Some(window.id), &permit())
        };
        let shifted = ["key 50 state 0", "key 45 state 1", "key up 45", "key up 50"];
        let clicked = |w: &TestWindow| w.events().iter().any(|e| e.starts_with("press"));

        // Another window takes the focus each time.
        let other = Plan::new("Other", (400, 80, 200, 150)).open(&x);
        key(with(Focus::Take).as_mut(), &other).expect("taken");
        assert_eq!(heard(&other, 4), shifted);
        let error = key(with(Focus::Check).as_mut(), &game).expect_err("not in focus");
        assert!(
            matches!(error, ActError::NotTarget { wanted, .. } if wanted == game.id),
            "{error}"
        );
        assert_eq!(game.events(), [""; 0], "nothing was pressed");
        assert_eq!(other.events(), [""; 0], "nothing was pressed");

        // Given by the manager, or directly; no click.
        key(with(Focus::Take).as_mut(), &game).expect("taken");
        assert_eq!(heard(&game, 4), shifted);
        key(with(Focus::Check).as_mut(), &game).expect("it has it now");
        assert_eq!(heard(&game, 4), shifted);
        key(with(Focus::Click).as_mut(), &game).expect("it has it now");
        assert!(!clicked(&game), "in focus: no click");

        // By a click, where a manager gives the focus to what is clicked.
        key(with(Focus::Take).as_mut(), &other).expect("taken");
        game.events();
        let managed = key(with(Focus::Click).as_mut(), &game);
        assert!(clicked(&game));
        managed.is_ok()
    };
    // Without a manager nobody gives the focus to what is clicked.
    assert!(!check());
    let Some(_manager) = x.openbox() else { return };
    assert!(check());
}

#[test]
fn letting_go_ends_a_hold_at_once_and_nothing_stays_down() {
    let _alone = alone();
    let Some(x) = Xvfb::start("800x600x24") else {
        return;
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let w = Plan::new("Game", (100, 80, 200, 150)).open(&x);
    let long = ScreenHands {
        hold: MS(600_000),
        ..ScreenHands::default()
    };
    let mut worker = Worker::spawn(open(&x, &clock, long), Arc::clone(&clock)).expect("a thread");
    w.events();
    worker
        .start(keys(&["ctrl+Left", "Right"], w.id), permit(), clock.now())
        .expect("free");
    w.events_until("key 113");
    worker.release_all().expect("released");
    let told = heard(&w, 2);
    assert!(told.contains(&"key up 113".to_owned()) && told.contains(&"key up 37".to_owned()));
    assert!(worker.poll(clock.now()).is_none(), "given up, not reported");

    // In a thread that has let go: the hook of a panic, the emergency stop.
    worker
        .start(keys(&["Left"], w.id), permit(), clock.now())
        .expect("free");
    w.events_until("key 113");
    act::release::release_everything();
    let ended = done(&mut worker, &*clock);
    assert!(matches!(ended, Err(ActError::Stopped)), "{ended:?}");
    assert_eq!(heard(&w, 1)[0], "key up 113");

    worker
        .start(keys(&["Left"], w.id), permit(), clock.now())
        .expect("free");
    w.events_until("key 113");
    drop(worker);
    assert_eq!(heard(&w, 1)[0], "key up 113");
    assert_eq!(
        w.events(),
        [""; 0],
        "the second key of an action is never pressed"
    );
}
