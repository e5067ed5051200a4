use super::*;
use crate::types::picture::packed;
use proptest::prelude::*;

/// Draws a message over a picture, as the page does; its number.
fn draw(message: &[u8], over: &mut Picture) -> u32 {
    let mut at = 0;
    let mut take = |n: usize| {
        at += n;
        &message[at - n..at]
    };
    let short = |take: &mut dyn FnMut(usize) -> Vec<u8>| {
        let bytes = take(2);
        u32::from(u16::from_le_bytes([bytes[0], bytes[1]]))
    };
    let mut owned = |n: usize| take(n).to_vec();
    let number = owned(4);
    let (width, height) = (short(&mut owned), short(&mut owned));
    over.reshape(width, height);
    for _ in 0..short(&mut owned) {
        let [x, y, w, h] = [(); 4].map(|()| short(&mut owned));
        let mut pixel = 0;
        while pixel < w * h {
            let length = short(&mut owned);
            let rgb = owned(3);
            for i in pixel..pixel + length {
                let to = (y + i / w) * width + x + i % w;
                over.pixels_mut()[to as usize] = packed([rgb[0], rgb[1], rgb[2]]);
            }
            pixel += length;
        }
    }
    assert_eq!(at, message.len(), "nothing is left");
    u32::from_le_bytes([number[0], number[1], number[2], number[3]])
}

proptest! {
    #[test]
    fn what_is_sent_makes_the_new_picture_of_the_old_one(
        width in 1u32..40, height in 1u32..40, other in 1u32..40,
        old in prop::collection::vec(0u32..3, 1600), new in prop::collection::vec((0usize..1600, 0u32..3), 0..30),
        number: u32,
    ) {
        let mut before = Picture::filled(width, height, [0; 3]);
        let count = before.pixels().len();
        before.pixels_mut().copy_from_slice(&old[..count]);
        let mut now = before.clone();
        for (at, value) in new {
            now.pixels_mut()[at % count] = value;
        }
        let mut shown = before.clone();
        prop_assert_eq!(draw(&encode(number, &before, &now), &mut shown), number);
        prop_assert_eq!(&shown, &now);
        let mut shown = Picture::filled(other, 3, [1; 3]);
        let message = encode(number, &shown, &now);
        draw(&message, &mut shown);
        prop_assert_eq!(&shown, &now);
    }
}

#[test]
fn a_large_flat_picture_is_a_small_message() {
    let now = Picture::filled(3840, 2160, [1, 2, 3]);
    let message = encode(1, &Picture::default(), &now);
    assert!(message.len() < 1000, "{} bytes", message.len());
    let mut shown = Picture::default();
    draw(&message, &mut shown);
    assert_eq!(shown, now);
    let same = encode(2, &now, &now);
    assert_eq!(draw(&same, &mut shown), 2);
    assert_eq!(same.len(), 10, "nothing has changed");
}

/// The next picture, drawn over the last one.
fn next(running: &mut Running, shown: &mut Picture) -> u32 {
    loop {
        match running.told.blocking_recv().expect("it goes on") {
            Told::Picture(message) => return draw(&message, shown),
            Told::Notice(text) => panic!("{text}"),
            Told::Saved(_) => {}
        }
    }
}

#[test]
fn a_page_sees_what_the_target_paints_and_no_more_than_it_can_show() {
    let begin = Begin {
        size: (320, 240),
        level: 1,
        seed: Some(7),
    };
    let mut running = Running::start(&begin).expect("a thread");
    let mut alike = TetrisTarget::new(begin.options(), Time::ZERO).expect("a target");
    let (mut shown, mut wanted) = (Picture::default(), Picture::default());
    let check = |running: &mut Running,
                 shown: &mut Picture,
                 alike: &mut TetrisTarget,
                 wanted: &mut Picture| {
        let number = next(running, shown);
        alike.render(Time::ZERO, wanted);
        assert!(*shown == *wanted, "picture {number}");
        number
    };
    check(&mut running, &mut shown, &mut alike, &mut wanted);
    // Calibration stands still: pieces are shown as they are asked for.
    for (key, number) in [("c", 2), ("3", 3)] {
        running
            .say(&format!("{{\"key\":\"{key}\"}}"))
            .expect("said");
        running
            .say(&format!("{{\"shown\":{}}}", number - 1))
            .expect("said");
        alike.key(key, Time::ZERO);
        assert_eq!(
            check(&mut running, &mut shown, &mut alike, &mut wanted),
            number
        );
    }
    // Two are under way and none is said to be shown: what comes then waits.
    running.say("{\"key\":\"4\"}").expect("said");
    alike.key("4", Time::ZERO);
    assert_eq!(check(&mut running, &mut shown, &mut alike, &mut wanted), 4);
    for key in ["5", "6", "7", "shift+w"] {
        running
            .say(&format!("{{\"key\":\"{key}\"}}"))
            .expect("said");
        std::thread::sleep(3 * PERIOD);
    }
    let next = running.told.blocking_recv();
    assert!(matches!(next, Some(Told::Saved(_))), "no picture: {next:?}");
    // Then the newest is shown, and nothing of what was between.
    running.say("{\"shown\":4}").expect("said");
    alike.key("7", Time::ZERO);
    assert_eq!(check(&mut running, &mut shown, &mut alike, &mut wanted), 5);
}

#[test]
fn a_game_is_saved_in_the_page_and_goes_on_from_there() {
    let begin = Begin {
        size: (160, 120),
        level: 3,
        seed: Some(1),
    };
    let mut running = Running::start(&begin).expect("a thread");
    for key in ["Return", "shift+w", "shift+l"] {
        running
            .say(&format!("{{\"key\":\"{key}\"}}"))
            .expect("said");
    }
    let saved = loop {
        match running.told.blocking_recv().expect("it goes on") {
            Told::Saved(text) => break text,
            Told::Picture(_) => {}
            Told::Notice(text) => panic!("{text}"),
        }
    };
    assert!(saved.contains("level 3"), "{saved}");
    for (text, wrong) in [(saved, false), ("level 3".to_owned(), true)] {
        let load = serde_json::json!({"load": text}).to_string();
        running.say(&load).expect("said");
        running.say("{\"key\":\"shift+w\"}").expect("said");
        let mut noticed = false;
        loop {
            match running.told.blocking_recv().expect("it goes on") {
                Told::Saved(again) => break assert!(again.contains("level 3"), "{again}"),
                Told::Notice(_) => noticed = true,
                Told::Picture(_) => {}
            }
        }
        assert_eq!(noticed, wrong);
    }
}

#[test]
fn what_is_no_message_is_told() {
    let begin = Begin {
        size: (160, 120),
        level: 1,
        seed: None,
    };
    let running = Running::start(&begin).expect("a thread");
    for text in [
        "",
        "{",
        "[]",
        "{\"key\":1}",
        "{\"keys\":\"a\"}",
        "{\"size\":[10,10]}",
        "{\"size\":[100000,200]}",
        "{\"pointer\":[\"poke\",1,2]}",
        "{\"shown\":-1}",
    ] {
        assert!(running.say(text).is_err(), "{text}");
    }
    running
        .say("{\"pointer\":[\"press\",1e300,-1]}")
        .expect("anywhere");
    running
        .say("{\"shown\":4000000000}")
        .expect("of no meaning");
}
