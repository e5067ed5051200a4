//! The pages of the games in a real browser, played by clicks and keys.

use fantoccini::key::Key;
use kibitzer::games::tetris::target::TetrisTarget;
use kibitzer::types::{Picture, Target as _, Time};
use kibitzer::web::play::tetris::Begin;
use serde_json::Value;

use super::browser::Browser;
use super::client::Daemon;

const LANGUAGES: [&str; 5] = ["en", "ru", "fr", "de", "zh"];
const PAGES: [&str; 5] = [
    "",
    "gomoku.html",
    "connect4.html",
    "flood.html",
    "tetris.html",
];

fn stones(browser: &Browser) -> u64 {
    let count =
        browser.eval("return document.querySelectorAll('#board .stone, #board .disc').length");
    count.as_u64().expect("a number")
}

/// Waits until it is our turn again, or the game is over; whether it is over.
fn turn(browser: &Browser) -> bool {
    let body = "const s = document.getElementById('status'); return s.classList.contains('busy') ? '' : \
        ['good', 'bad', 'even'].some((c) => s.classList.contains(c)) ? 'over' : s.textContent ? 'on' : ''";
    browser.until("an answer", body) == "over"
}

#[test]
fn the_games_speak_five_languages_and_fit_a_phone() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let own = format!("http://{}/", daemon.address);
    for language in LANGUAGES {
        let browser = Browser::open(360, 740, language);
        for page in PAGES {
            browser.go(&format!("{own}games/{page}"));
            let there = format!(
                "return location.pathname === '/games/{page}' && document.querySelector('nav a')?.textContent"
            );
            browser.until("words", &there);
            assert_eq!(
                browser.eval("return document.documentElement.lang"),
                language,
                "{page}"
            );
            let empty = browser.eval(
                "return [...document.querySelectorAll('[data-word]')].filter(e => !e.textContent || e.textContent === e.dataset.word).map(e => e.dataset.word)",
            );
            assert_eq!(empty, serde_json::json!([]), "{language} {page}");
            let beyond = browser.eval("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assert_eq!(beyond, 0, "{language} {page}: wider than a phone");
        }
        browser.resize(3840, 2160);
        for page in &PAGES[1..] {
            browser.go(&format!("{own}games/{page}?large"));
            let there = format!(
                "return location.search && document.querySelector('.seat, main')?.clientWidth > 2000 && document.documentElement.scrollWidth === document.documentElement.clientWidth && '{page}'"
            );
            browser.until("the whole width", &there);
        }
        browser.is_content(&own);
    }
}

/// No word is missing in any language, and those with a number have every form that it needs.
#[test]
fn every_word_of_the_games_is_there_in_every_language() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let own = format!("http://{}/", daemon.address);
    let browser = Browser::open(800, 600, "en");
    browser.go(&format!("{own}games/"));
    browser.eval("import('/games/words.js').then((m) => { window.words = m.WORDS; })");
    browser.until("the words", "return window.words");
    let body = "const wrong = []; const all = Object.keys(window.words.en); \
        for (const [code, words] of Object.entries(window.words)) { \
          for (const key of new Set([...all, ...Object.keys(words)])) { \
            const [word, english] = [words[key], window.words.en[key]]; \
            if (!word || typeof word !== typeof english) { wrong.push(code + ' ' + key); continue; } \
            if (typeof word === 'string') continue; \
            const forms = { en: ['one', 'other'], ru: ['one', 'few', 'many', 'other'], fr: ['one', 'other'], de: ['one', 'other'], zh: ['other'] }; \
            for (const form of forms[code]) if (!word[form]) wrong.push(code + ' ' + key + ' ' + form); } } \
        return [Object.keys(window.words).length, ...wrong]";
    assert_eq!(browser.eval(body), serde_json::json!([LANGUAGES.len()]));
    browser.is_content(&own);
}

#[test]
fn five_in_a_row_is_played_to_its_end_by_clicks() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let own = format!("http://{}/", daemon.address);
    let browser = Browser::open(1280, 900, "en");
    browser.go(&format!("{own}games/gomoku.html"));
    assert!(!turn(&browser));
    assert_eq!(
        browser.eval("return document.querySelectorAll('#board button').length"),
        100
    );
    // The first move by keys: from the middle one to the left, then Enter.
    browser.eval("document.querySelector('#board [tabindex=\"0\"]').focus()");
    browser.keys(&[Key::Left.into(), Key::Enter.into()]);
    browser.until(
        "two stones",
        "return document.querySelectorAll('#board .stone').length === 2",
    );
    assert_eq!(
        browser
            .eval("return document.querySelectorAll('#board button')[54].className.includes('X')"),
        true
    );
    // Values of all candidates; the best one is the hint.
    browser.click("#values");
    browser.until(
        "values",
        "return document.querySelectorAll('#board .weighed').length >= 8",
    );
    browser.click("#hint");
    browser.until("a hint", "return document.querySelector('#board .hint')");
    let best =
        browser.eval("return document.querySelector('#board .hint').classList.contains('best')");
    assert_eq!(best, true, "the hint has the largest value");
    // The coefficient changes them.
    let sum = "[...document.querySelectorAll('#board .weighed')].reduce((s, e) => s + parseFloat(e.textContent), 0)";
    let before = browser
        .eval(&format!("return {sum}"))
        .as_f64()
        .expect("a number");
    browser.eval("const a = document.getElementById('a'); a.focus(); a.value = 0.8");
    browser.keys(&[Key::Right.into(), Key::Right.into()]);
    assert_eq!(browser.text("#told"), "1.0");
    browser.until("other values", &format!("return {sum} > {before}"));
    // Undo takes both stones back, and the page keeps the game when it is loaded again.
    browser.click("#undo");
    browser.until(
        "an empty board",
        "return document.querySelectorAll('#board .stone').length === 0",
    );
    assert!(!turn(&browser));
    browser.click("#board [role=row]:nth-child(5) button:nth-child(5)");
    browser.until(
        "two stones",
        "return document.querySelectorAll('#board .stone').length === 2",
    );
    browser.go(&format!("{own}games/gomoku.html?again"));
    browser.until(
        "the same game",
        "return location.search && document.querySelectorAll('#board .stone').length === 2",
    );
    // To the end: always the cell that the evaluator values most.
    while !turn(&browser) {
        browser.until("values", "return document.querySelector('#board .best')");
        let before = stones(&browser);
        browser.click("#board .best");
        browser.until(
            "a move",
            &format!("return document.querySelectorAll('#board .stone').length > {before}"),
        );
        assert!(before <= 100);
    }
    let over = browser.text("#status");
    assert!(!over.is_empty());
    let row = browser
        .eval("return document.querySelectorAll('#board .won').length")
        .as_u64();
    assert!(over == "A draw." || row >= Some(5), "{over}: {row:?}");
    browser.is_content(&own);
}

/// Lets the last disc fall again and holds it at the top: what a click there meets.
const FALLING: &str = "const cell = document.querySelector('#board .last'), names = cell.className; \
    cell.className = ''; cell.getBoundingClientRect(); cell.className = names; \
    const falls = document.getAnimations().filter((a) => a.animationName === 'fall'); \
    for (const a of falls) { a.pause(); a.currentTime = 0; } \
    const at = [...cell.parentNode.children].indexOf(cell); \
    const top = document.querySelector('#board [role=row]').children[at], box = top.getBoundingClientRect(); \
    const met = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2); \
    for (const a of falls) a.finish(); \
    return !falls.length ? 'nothing falls' : met === top ? 'button' : met.className";

#[test]
fn connect4_shows_the_scores_of_its_columns() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let own = format!("http://{}/", daemon.address);
    let browser = Browser::open(1280, 900, "en");
    browser.go(&format!("{own}games/connect4.html"));
    assert!(!turn(&browser));
    browser.click("#values");
    let shown =
        "return [...document.querySelectorAll('#scores span')].map(e => e.textContent).join(' ')";
    browser.until("scores", "return document.querySelector('#scores .wins')");
    assert_eq!(browser.eval(shown), "−2 −1 0 +1 0 −1 −2");
    // The best column each time: perfect play wins from the first move.
    while !turn(&browser) {
        browser.until("scores", "return document.querySelector('#scores .best')");
        let body = "const i = [...document.querySelectorAll('#scores span')].findIndex(e => e.classList.contains('best')); return String(i + 1)";
        let column = browser.eval(body).as_str().expect("a column").to_owned();
        let before = stones(&browser);
        browser.click(&format!(
            "#board [role=row]:first-child button:nth-child({column})"
        ));
        browser.until(
            "a move",
            &format!("return document.querySelectorAll('#board .disc').length > {before}"),
        );
        assert_eq!(browser.eval(FALLING), "button");
    }
    assert_eq!(browser.text("#status"), "You have won!");
    assert_eq!(
        browser.eval("return document.querySelectorAll('#board .won').length >= 4"),
        true
    );
    browser.is_content(&own);
}

#[test]
fn flood_it_is_played_to_its_end_in_the_fewest_moves() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let own = format!("http://{}/", daemon.address);
    let browser = Browser::open(1280, 900, "en");
    browser.go(&format!("{own}games/flood.html"));
    browser.until(
        "a board",
        "return document.querySelectorAll('#board button').length === 196",
    );
    browser.eval("document.getElementById('size').value = '6'; document.getElementById('new').requestSubmit()");
    browser.until(
        "a small board",
        "return document.querySelectorAll('#board button').length === 36",
    );
    browser.click("#fewest");
    browser.until(
        "the minimum",
        "return document.getElementById('minimum').textContent.includes('no fewer')",
    );
    let told = browser.text("#minimum");
    let minimum: u32 = told
        .split_whitespace()
        .find_map(|w| w.parse().ok())
        .expect("a number");
    browser.click("#letters");
    assert_eq!(
        browser.eval("return document.querySelectorAll('#board button:empty').length"),
        0
    );
    let mut moves = 0;
    while browser.eval("return document.getElementById('status').classList.contains('good')")
        != true
    {
        browser.click("#hint");
        browser.until("a hint", "return document.querySelector('#palette .hint')");
        browser.click("#palette .hint");
        moves += 1;
        assert!(moves <= minimum, "more than the minimum of {minimum}");
    }
    assert_eq!(moves, minimum);
    assert_eq!(browser.text("#status"), format!("Done in {minimum} moves!"));
    browser.until("what was possible", &format!("return document.getElementById('minimum').textContent === 'The fewest possible was {minimum}.'"));
    browser.click("#undo");
    browser.until(
        "one move back",
        &format!(
            "return document.getElementById('status').textContent.startsWith('Move {} of')",
            minimum - 1
        ),
    );
    browser.is_content(&own);
}

/// What the page's screen shows.
fn screen(browser: &Browser) -> Picture {
    let body = "const c = document.getElementById('screen'); \
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; \
        const runs = []; let last = -1; \
        for (let i = 0; i < d.length; i += 4) { \
          const v = d[i] << 16 | d[i + 1] << 8 | d[i + 2]; \
          if (v === last) runs[runs.length - 1]++; else { runs.push(v, 1); last = v; } } \
        return [c.width, c.height, runs]";
    let told = browser.eval(body);
    let number = |v: &Value| u32::try_from(v.as_u64().expect("a number")).expect("it fits");
    let mut picture = Picture::filled(number(&told[0]), number(&told[1]), [0; 3]);
    let runs = told[2].as_array().expect("runs");
    let pixels = runs.chunks(2).flat_map(|run| {
        let (value, count) = (number(&run[0]), number(&run[1]) as usize);
        std::iter::repeat_n(value, count)
    });
    for (to, from) in picture.pixels_mut().iter_mut().zip(pixels) {
        *to = from;
    }
    picture
}

/// What a target paints at a time, in ms, after keys that came at theirs; nothing while no piece
/// falls, if one must.
fn painted(keys: &[(u64, &str)], at: u64, like: &Picture, falling: bool) -> Option<Picture> {
    let begin = Begin {
        size: (like.width(), like.height()),
        level: 1,
        seed: Some(42),
    };
    let mut target = TetrisTarget::new(begin.options(), Time::ZERO).expect("a target");
    for &(ms, key) in keys {
        target.key(key, Time::from_millis(ms));
    }
    let mut picture = Picture::default();
    target.render(Time::from_millis(at), &mut picture);
    (!falling || target.game().piece().is_some()).then_some(picture)
}

/// Waits until the page shows exactly what the target paints at one of these times; at which.
fn shows(browser: &Browser, keys: &[(u64, &str)], times: &[u64], falling: bool) -> u64 {
    let began = std::time::Instant::now();
    loop {
        let seen = screen(browser);
        let at = times
            .iter()
            .find(|&&ms| painted(keys, ms, &seen, falling).is_some_and(|p| p == seen));
        if let Some(&at) = at {
            return at;
        }
        let size = (seen.width(), seen.height());
        assert!(
            began.elapsed() < std::time::Duration::from_secs(60),
            "{size:?} after {keys:?}"
        );
    }
}

#[test]
fn the_tetris_page_shows_the_targets_pixels_and_takes_its_keys() {
    let daemon = Daemon::start("127.0.0.1:0", &[], 0);
    let own = format!("http://{}/", daemon.address);
    let browser = Browser::open(1000, 800, "en");
    let open = |n: u32| {
        browser.go(&format!("{own}games/tetris.html?seed=42&level=1&n={n}"));
        let shown = "document.getElementById('screen')?.dataset.picture";
        browser.until(
            "a picture",
            &format!("return location.search.endsWith('n={n}') && {shown}"),
        );
        shows(&browser, &[], &[0], false);
        browser.eval("document.getElementById('screen').focus()");
    };
    open(1);
    assert!(screen(&browser).width() > 400, "as large as its place");
    // Calibration: markers, swatches and any piece; nothing moves in it.
    browser.keys(&['c', '3']);
    shows(&browser, &[(0, "c"), (0, "3")], &[0], false);
    browser.click("[data-key=F1]");
    shows(&browser, &[(0, "c"), (0, "3"), (0, "F1")], &[0], false);
    open(2);
    browser.keys(&[Key::Enter.into()]);
    let steps: Vec<u64> = (1..18).map(|n| 500 * n + 1).collect();
    let at = shows(&browser, &[(0, "Return")], &steps, true);
    browser.keys(&[Key::Left.into()]);
    let keys = [(0, "Return"), (at, "Left")];
    let later: Vec<u64> = steps.into_iter().filter(|&ms| ms >= at).collect();
    let seen = shows(&browser, &keys, &later, true);
    let like = screen(&browser);
    assert_ne!(
        painted(&keys, seen, &like, true),
        painted(&keys[..1], seen, &like, true),
        "it has moved"
    );
    browser.is_content(&own);
}
