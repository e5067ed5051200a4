//! The command line as scripts depend on it: exit statuses, help with examples, clear messages for
//! what cannot work, and pictures of every odd kind.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

struct Ran {
    status: i32,
    out: String,
    err: String,
}

/// Runs the program with a home of its own and no display.
fn kibitzer(home: &Path, args: &[&str]) -> Ran {
    let done = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(args)
        .env("HOME", home)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("XDG_STATE_HOME")
        .env_remove("XDG_CONFIG_HOME")
        .output()
        .expect("the program starts");
    Ran {
        status: done.status.code().expect("not killed"),
        out: String::from_utf8(done.stdout).expect("UTF-8"),
        err: String::from_utf8(done.stderr).expect("UTF-8"),
    }
}

fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

#[test]
fn every_command_has_help_with_an_example() {
    let home = home();
    for command in [
        &["look"][..],
        &["solve", "flood"],
        &["play"],
        &["watch"],
        &["calibrate"],
        &["demo"],
        &["journal"],
        &["serve"],
        &["bench"],
    ] {
        let args: Vec<&str> = command.iter().copied().chain(["--help"]).collect();
        let ran = kibitzer(home.path(), &args);
        assert_eq!(ran.status, 0, "{command:?}: {}", ran.err);
        let example = format!("kibitzer {}", command[0]);
        let shown = ran
            .out
            .lines()
            .any(|l| l.contains(&example) && !l.trim_start().starts_with("Usage"));
        assert!(shown, "{command:?} shows no example:\n{}", ran.out);
    }
}

#[test]
fn wrong_usage_is_status_2() {
    let home = home();
    for args in [
        &["fly"][..],
        &["play", "--games", "0", "sgt-flood"],
        &["play", "--window", "Flood"],
        &["look"],
        &["look", "a.png", "--game", "chess"],
        &["solve", "chess"],
        &["demo", "flood", "--size", "3x3"],
        &["demo", "--level", "11"],
        &["bench", "rig", "--games", "0"],
        &["bench", "rig", "--pieces", "0"],
        &["demo", "--recording"],
    ] {
        let ran = kibitzer(home.path(), args);
        assert_eq!(ran.status, 2, "{args:?}: {}{}", ran.out, ran.err);
        assert!(ran.out.is_empty(), "{args:?} wrote to stdout: {}", ran.out);
    }
}

#[test]
fn what_cannot_work_says_so_at_start() {
    let home = home();
    let fails = |args: &[&str], says: &str| {
        let ran = kibitzer(home.path(), args);
        assert_eq!(ran.status, 1, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
        assert!(!ran.err.contains("panicked"), "{args:?}: {}", ran.err);
    };
    fails(&["play", "sgt-flood"], "DISPLAY");
    fails(
        &["watch", "--window", "Flood", "--game", "flood"],
        "DISPLAY",
    );
    fails(&["play"], "--window");
    fails(&["play", "no-such-profile"], "sgt-flood");
    fails(&["play", "--window", "x", "--game", "chess"], "flood");
    fails(&["play", "sgt-flood", "--policy", "genius"], "optimal");
    fails(
        &["play", "sgt-flood", "--set", "play.retrys=3"],
        "play.retries",
    );
    fails(&["bench", "rig", "--knocks", "inf"], "86400");
    fails(&["demo", "--fast", "--knocks", "nan"], "86400");
    fails(&["demo", "--fast", "--knocks", "0.0001"], "86400");
    fails(&["demo", "--lost", "nan"], "0.9");
    fails(
        &["demo", "--journal", "/proc/none/journal.db"],
        "/proc/none",
    );
    fails(
        &["journal", "runs", "--db", "/nowhere/journal.db"],
        "/nowhere/journal.db",
    );
}

fn png(image: &image::DynamicImage) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    image
        .write_to(&mut out, image::ImageFormat::Png)
        .expect("encoded");
    out.into_inner()
}

/// What `look --json` answers to the contents of a picture file.
fn looked(home: &Path, bytes: &[u8]) -> Result<Value, String> {
    let path = home.join("picture");
    std::fs::write(&path, bytes).expect("written");
    let ran = kibitzer(home, &["look", &path.display().to_string(), "--json"]);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    match ran.status {
        0 => Ok(serde_json::from_str(&ran.out).expect("one JSON object")),
        1 => Err(ran.err),
        other => panic!("status {other}: {}", ran.err),
    }
}

#[test]
fn odd_pictures_are_looked_at_or_refused_by_name() {
    let home = home();
    let look = |bytes: &[u8]| looked(home.path(), bytes);
    let absent = |answer: Result<Value, String>| {
        let answer = answer.expect("looked at");
        assert_eq!(answer["found"], false);
        assert_eq!(answer["state"], "absent");
        assert_eq!(answer["game"], Value::Null, "nobody has said which");
    };
    absent(look(&png(&image::DynamicImage::new_rgb8(1, 1))));
    absent(look(&png(&image::DynamicImage::new_rgb16(300, 200))));
    absent(look(&png(&image::DynamicImage::new_luma8(1, 5000))));
    let whole = png(&image::DynamicImage::new_rgb8(64, 64));
    for (bytes, why) in [
        (&b""[..], "empty"),
        (&b"no picture at all"[..], "PNG"),
        (&whole[..whole.len() / 2], "picture"),
    ] {
        let error = look(bytes).expect_err(why);
        assert!(error.contains("picture"), "names the file: {error}");
        assert!(error.contains(why), "{error}");
    }
    // A header that promises 50,000 x 50,000 pixels is refused before they are decoded.
    let mut huge = png(&image::DynamicImage::new_luma8(1, 1));
    huge[16..24].copy_from_slice(&[0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50]);
    let check = crc32(&huge[12..29]);
    huge[29..33].copy_from_slice(&check.to_be_bytes());
    let error = look(&huge).expect_err("too large");
    assert!(error.contains("50000x50000"), "{error}");
    let folder = home.path().display().to_string();
    let ran = kibitzer(home.path(), &["look", &folder]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("folder"), "{}", ran.err);
}

#[test]
fn of_an_animation_the_first_picture_is_looked_at() {
    let home = home();
    let path = home.path().join("animated.gif");
    {
        let file = std::fs::File::create(&path).expect("created");
        let mut gif = image::codecs::gif::GifEncoder::new(file);
        let frame = |v: u8| {
            image::Frame::new(image::RgbaImage::from_pixel(
                80,
                60,
                image::Rgba([v, v, v, 255]),
            ))
        };
        gif.encode_frames([frame(10), frame(200)]).expect("encoded");
    }
    let answer = looked(home.path(), &std::fs::read(&path).expect("read")).expect("looked at");
    assert_eq!(answer["found"], false);
}

/// The checksum of a PNG chunk, bit by bit as the format's standard gives it.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = !0u32;
    for &b in bytes {
        crc ^= u32::from(b);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
        }
    }
    !crc
}
