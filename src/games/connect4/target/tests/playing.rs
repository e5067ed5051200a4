//! Against a policy: replies, levels, hints, and that all of it is the same each time.

use super::*;
use crate::games::connect4::rules::parse_position;
use crate::games::facing::budget;

#[test]
fn a_policy_replies_after_the_fall_and_the_delay() {
    let mut t = shown(&against(9, Seat::You), "dark");
    assert_eq!(t.title(), "Kibitzer Connect-4: your turn, teal");
    t.key("d", ms(1000));
    assert_eq!(t.title(), "Kibitzer Connect-4: orange is thinking");
    let due = t.session().settled_at() + Duration::from_millis(300);
    drawn(&mut t, Time(due.0 - 1));
    assert_eq!(t.session().moves().len(), 1);
    t.key("a", Time(due.0 - 1));
    assert_eq!(t.session().moves().len(), 1, "it is not our turn");
    drawn(&mut t, due);
    assert_eq!(t.session().moves().len(), 2);
    assert!(t.title().ends_with("your turn, teal"));
}

#[test]
fn either_side_starts_and_undo_takes_both_moves_back() {
    let mut t = shown(&against(9, Seat::Opponent), "classic");
    drawn(&mut t, ms(2000));
    assert_eq!(
        t.truth().0,
        "......./......./......./......./......./...X..."
    );
    // The person is yellow in this look, whoever starts.
    let picture = drawn(&mut t, ms(2000));
    assert!(read(&t, &picture).ends_with("...b..."));
    t.key("d", ms(2000));
    drawn(&mut t, ms(4000));
    assert_eq!(t.session().moves().len(), 3);
    t.key("u", ms(4000));
    assert_eq!(
        t.truth().0,
        "......./......./......./......./......./...X..."
    );
    t.key("s", ms(4000));
    drawn(&mut t, ms(9000));
    assert_eq!(
        t.truth().0,
        "......./......./......./......./......./......."
    );
    assert!(t.title().ends_with("your turn, yellow"));
    // And in this one it is the order.
    let mut t = shown(&against(9, Seat::Opponent), "rings");
    drawn(&mut t, ms(2000));
    assert!(seen(&mut t, ms(3000)).ends_with("...a..."));
}

#[test]
fn hints_are_the_perfect_policys() {
    for moves in ["", "44", "4453", "4444435", "112233"] {
        let setup = Setup {
            moves: moves.to_owned(),
            ..people()
        };
        let mut t = shown(&setup, "dark");
        let plain = drawn(&mut t, ms(500));
        t.key("h", ms(500));
        let board = parse_position(moves).expect("a position");
        let mut perfect = by_name("perfect").expect("there is one");
        let all = perfect
            .analyse(&board, &budget(NODES, 0))
            .expect("not over");
        let scores: Vec<i32> = all
            .columns
            .expect("asked for")
            .iter()
            .filter_map(|b| b.map(|b| b.exact().expect("within the nodes")))
            .collect();
        let most = *scores.iter().max().expect("columns");
        let best = t.advice().and_then(|a| a.best).expect("a hint");
        assert_eq!(scores[best], most, "{moves}: {best} of {scores:?}");
        assert!(drawn(&mut t, ms(500)) != plain, "the hint is seen");
        assert!(t.advice().expect("a hint").scores.is_empty());
        t.key("shift+h", ms(500));
        let told: Vec<String> = t
            .advice()
            .expect("a hint")
            .scores
            .iter()
            .map(|s| s.1.clone())
            .collect();
        let wanted: Vec<String> = scores
            .iter()
            .map(|&s| {
                if s == 0 {
                    "0".to_owned()
                } else {
                    format!("{s:+}")
                }
            })
            .collect();
        assert_eq!(told, wanted, "{moves}");
        t.key("h", ms(500));
        assert!(drawn(&mut t, ms(500)) == plain, "and goes");
    }
}

#[test]
fn hints_follow_the_game_and_wait_while_the_policy_thinks() {
    let mut t = shown(&against(9, Seat::You), "dark");
    keys(&mut t, "h d", Time::ZERO);
    assert!(t.advice().is_none(), "a disc falls");
    drawn(&mut t, ms(600));
    assert!(t.advice().is_none(), "the policy thinks");
    drawn(&mut t, ms(5000));
    assert!(t.advice().is_some());
}

#[test]
fn the_same_inputs_give_the_same_pictures() {
    let play = || {
        let mut t = shown(&against(3, Seat::You), "rings");
        let mut pictures = Vec::new();
        for (i, key) in "d c h e u 7 b s a c f r Return n g g g"
            .split(' ')
            .enumerate()
        {
            let now = ms(900 * i as u64);
            t.key(key, now);
            pictures.push(drawn(&mut t, now + Duration::from_millis(130)));
            pictures.push(drawn(&mut t, now + Duration::from_millis(890)));
        }
        (pictures, t.truth(), t.title().to_owned())
    };
    assert!(play() == play());
}

#[test]
fn how_often_it_is_looked_at_changes_nothing() {
    let play = |looks: u64| {
        let mut t = shown(&against(4, Seat::You), "signs");
        for (i, key) in "d c e b a".split(' ').enumerate() {
            let now = 2000 * i as u64;
            t.key(key, ms(now));
            for k in 1..=looks {
                drawn(&mut t, ms(now + 1990 * k / looks));
            }
        }
        (drawn(&mut t, ms(20_000)), t.truth())
    };
    assert!(play(1) == play(40));
}

#[test]
fn lower_levels_play_other_games() {
    let game = |level: u8| {
        let mut t = shown(&against(level, Seat::You), "classic");
        for (i, key) in "d d c e b f".split(' ').enumerate() {
            t.key(key, ms(2000 * i as u64));
            drawn(&mut t, ms(2000 * i as u64 + 1900));
        }
        t.truth()
    };
    assert_ne!(game(1), game(9));
    let mut t = shown(&against(1, Seat::You), "classic");
    t.key("8", ms(0));
    assert_eq!(t.session().level(), Level::new(8));
    assert!(t.status().ends_with("level 8"), "{}", t.status());
}
