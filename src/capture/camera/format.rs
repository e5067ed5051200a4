//! Which of the formats that a camera offers is taken.
//!
//! Takes what it offers and what is wished for; gives formats to be tried, the best first. Must
//! never ask a camera itself, nor name one format only: cameras refuse what they offer.

use std::cmp::Ordering;

use super::decode::Packing;

/// One way of packing pixels that a camera offers, with one size or a range of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// The four letters of the format.
    pub letters: [u8; 4],
    /// In px.
    pub sizes: Sizes,
    /// Seconds from one picture to the next, as fractions; empty where the camera does not say.
    pub intervals: Vec<Interval>,
}

/// Sizes of pictures, in px.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// One.
    One(u32, u32),
    /// All between these, in steps.
    Range {
        /// The smallest width and height.
        least: (u32, u32),
        /// The largest.
        most: (u32, u32),
        /// From one width and height to the next.
        step: (u32, u32),
    },
}

/// Seconds from one picture to the next: numerator and denominator.
pub type Interval = (u32, u32);

/// What is wished for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wish {
    /// Width and height, in px.
    pub size: Option<(u32, u32)>,
    /// Pictures a second.
    pub rate: Option<f64>,
    /// The four letters of a format.
    pub letters: Option<[u8; 4]>,
}

/// A format that a camera can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// The four letters.
    pub letters: [u8; 4],
    /// How its pixels are packed.
    pub packing: Packing,
    /// In px.
    pub width: u32,
    /// In px.
    pub height: u32,
    /// Seconds from one picture to the next; `None` where the camera does not say.
    pub interval: Option<Interval>,
}

impl Format {
    /// Pictures a second, if it is known.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        self.interval.map(rate)
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}x{}", name(self.letters), self.width, self.height)?;
        match self.rate() {
            Some(rate) => write!(f, " {rate:.0}/s"),
            None => Ok(()),
        }
    }
}

/// The letters of a format for people.
#[must_use]
pub fn name(letters: [u8; 4]) -> String {
    let letters = letters.map(|l| if l.is_ascii_graphic() { l } else { b' ' });
    String::from_utf8_lossy(&letters).trim().to_owned()
}

/// Pictures a second at this interval; zero for one that makes no sense.
#[must_use]
pub fn rate((numerator, denominator): Interval) -> f64 {
    if numerator == 0 {
        return 0.0;
    }
    f64::from(denominator) / f64::from(numerator)
}

/// The size that is best for reading boards when nobody says: cells of a board that fills half of
/// it are large enough for every game, and a picture is decoded in a few milliseconds.
const SIZE: (u32, u32) = (1280, 720);

/// Pictures a second when nobody says: what the reference rig had.
const RATE: f64 = 30.0;

/// So much less than the wished rate is as good.
const SLACK: f64 = 0.9;

/// More formats than these are not tried: each takes its time.
const TRIES: usize = 8;

/// Formats to be tried, the best first; those that cannot be decoded here are left out.
///
/// A size or format that is wished for by name comes before the rate; otherwise a camera that is
/// too slow at the usual size is asked for a smaller one.
#[must_use]
pub fn formats(offers: &[Offer], wish: &Wish) -> Vec<Format> {
    let size = wish.size.unwrap_or(SIZE);
    let rate = wish.rate.unwrap_or(RATE);
    let mut all: Vec<Format> = Vec::new();
    for offer in offers {
        let Some(packing) = Packing::from_letters(offer.letters) else {
            continue;
        };
        for (width, height) in candidates(offer.sizes, size) {
            let mut intervals: Vec<Option<Interval>> =
                offer.intervals.iter().copied().map(Some).collect();
            if intervals.is_empty() {
                intervals.push(None);
            }
            all.extend(intervals.into_iter().map(|interval| Format {
                letters: offer.letters,
                packing,
                width,
                height,
                interval,
            }));
        }
    }
    all.retain(|f| f.width > 0 && f.height > 0);
    let cost = |f: &Format| Cost::new(f, wish, size, rate);
    all.sort_by(|a, b| cost(a).compare(&cost(b), wish.size.is_some()));
    all.dedup();
    all.truncate(TRIES);
    all
}

/// Sizes of an offer worth considering for a wished one.
fn candidates(sizes: Sizes, wish: (u32, u32)) -> Vec<(u32, u32)> {
    match sizes {
        Sizes::One(width, height) => vec![(width, height)],
        Sizes::Range { least, most, step } => {
            let side = |wish: u32, least: u32, most: u32, step: u32| {
                let most = most.max(least);
                let over = wish.clamp(least, most) - least;
                least + over - over % step.max(1)
            };
            let near = |(w, h): (u32, u32)| {
                (
                    side(w, least.0, most.0, step.0),
                    side(h, least.1, most.1, step.1),
                )
            };
            vec![near(wish), near((640, 480))]
        }
    }
}

/// How far a format is from what is wished, the most important first.
struct Cost {
    /// It is not the one that was named.
    letters: bool,
    /// By how much the number of pixels differs, as a factor; smaller counts more than larger.
    size: f64,
    /// By how much the rate is too low, as a factor; 1 for fast enough.
    slow: f64,
    /// How much is lost or spent by packing pixels this way.
    packing: u8,
    /// By how much the rate is too high, as a factor.
    fast: f64,
}

impl Cost {
    fn new(format: &Format, wish: &Wish, size: (u32, u32), rate: f64) -> Self {
        let area = |w: u32, h: u32| f64::from(w) * f64::from(h);
        let ratio = area(format.width, format.height) / area(size.0.max(1), size.1.max(1));
        let shape = f64::from(format.width) * f64::from(size.1)
            / (f64::from(format.height) * f64::from(size.0)).max(1.0);
        let given = format.rate().unwrap_or(rate).max(0.1);
        Self {
            letters: wish
                .letters
                .is_some_and(|l| Packing::from_letters(l) != Some(format.packing)),
            size: ratio.max(1.0 / ratio) * shape.max(1.0 / shape).sqrt(),
            slow: if given >= rate * SLACK {
                1.0
            } else {
                rate / given
            },
            packing: match format.packing {
                Packing::Yuyv | Packing::Uyvy => 0,
                Packing::Rgb | Packing::Bgr => 1,
                Packing::Nv12 | Packing::Yuv420 => 2,
                Packing::Jpeg => 3,
                // Colours tell most boards' pieces apart.
                Packing::Grey => 4,
            },
            fast: (given / rate).max(1.0),
        }
    }

    fn compare(&self, other: &Self, size_was_named: bool) -> Ordering {
        let size = self.size.total_cmp(&other.size);
        let slow = self.slow.total_cmp(&other.slow);
        let (first, second) = if size_was_named {
            (size, slow)
        } else {
            (slow, size)
        };
        self.letters
            .cmp(&other.letters)
            // Without colours a picture is the last resort, whatever its size.
            .then((self.packing == 4).cmp(&(other.packing == 4)))
            .then(first)
            .then(second)
            .then(self.packing.cmp(&other.packing))
            .then(self.fast.total_cmp(&other.fast))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(letters: &[u8; 4], (w, h): (u32, u32), rates: &[u32]) -> Offer {
        Offer {
            letters: *letters,
            sizes: Sizes::One(w, h),
            intervals: rates.iter().map(|&r| (1, r)).collect(),
        }
    }

    /// What a usual webcam offers: large pictures are fast only when they are compressed.
    fn webcam() -> Vec<Offer> {
        vec![
            offer(b"YUYV", (640, 480), &[30, 15]),
            offer(b"YUYV", (1280, 720), &[10, 5]),
            offer(b"YUYV", (1920, 1080), &[5]),
            offer(b"MJPG", (640, 480), &[60, 30]),
            offer(b"MJPG", (1280, 720), &[60, 30]),
            offer(b"MJPG", (1920, 1080), &[30]),
            offer(b"H264", (1280, 720), &[30]),
        ]
    }

    fn chosen(offers: &[Offer], wish: &Wish) -> Vec<String> {
        formats(offers, wish)
            .iter()
            .map(Format::to_string)
            .collect()
    }

    #[test]
    fn the_usual_webcam() {
        let all = chosen(&webcam(), &Wish::default());
        assert_eq!(all[0], "MJPG 1280x720 30/s");
        assert!(
            all.len() == TRIES && !all.iter().any(|f| f.contains("H264")),
            "{all:?}"
        );
    }

    #[test]
    fn what_is_named_comes_first() {
        let wish = |size, rate, letters: Option<&[u8; 4]>| Wish {
            size,
            rate,
            letters: letters.copied(),
        };
        let first = |w: &Wish| chosen(&webcam(), w)[0].clone();
        // At the same size and rate the uncompressed picture is the better one.
        assert_eq!(
            first(&wish(Some((640, 480)), None, None)),
            "YUYV 640x480 30/s"
        );
        assert_eq!(
            first(&wish(Some((640, 480)), Some(60.0), None)),
            "MJPG 640x480 60/s"
        );
        assert_eq!(
            first(&wish(Some((1920, 1080)), Some(60.0), None)),
            "MJPG 1920x1080 30/s"
        );
        assert_eq!(
            first(&wish(Some((1280, 720)), None, Some(b"YUYV"))),
            "YUYV 1280x720 10/s"
        );
        assert_eq!(
            first(&wish(Some((800, 600)), None, None)),
            "YUYV 640x480 30/s"
        );
        // The same packing under another name.
        assert_eq!(
            first(&wish(Some((640, 480)), None, Some(b"YUY2"))),
            "YUYV 640x480 30/s"
        );
        // A format that is not offered does not keep the others from being tried.
        assert_eq!(
            first(&wish(None, None, Some(b"NV12"))),
            "MJPG 1280x720 30/s"
        );
    }

    #[test]
    fn colours_before_size() {
        let offers = [
            offer(b"GREY", (1280, 720), &[30]),
            offer(b"YUYV", (320, 240), &[30]),
        ];
        assert_eq!(chosen(&offers, &Wish::default())[0], "YUYV 320x240 30/s");
        let grey = Wish {
            letters: Some(*b"GREY"),
            ..Wish::default()
        };
        assert_eq!(chosen(&offers, &grey)[0], "GREY 1280x720 30/s");
    }

    #[test]
    fn odd_offers() {
        assert!(formats(&[], &Wish::default()).is_empty());
        assert!(formats(&[offer(b"H264", (640, 480), &[30])], &Wish::default()).is_empty());
        // Intervals that are no whole rates, none at all, or nonsense.
        let odd = Offer {
            intervals: vec![(4200, 315_000), (0, 5), (1, 0)],
            ..offer(b"YUYV", (640, 480), &[])
        };
        assert_eq!(chosen(&[odd], &Wish::default())[0], "YUYV 640x480 75/s");
        let silent = offer(b"YUYV", (640, 480), &[]);
        assert_eq!(chosen(&[silent], &Wish::default()), ["YUYV 640x480"]);
        let range = |least, most, step| Offer {
            sizes: Sizes::Range { least, most, step },
            ..offer(b"RGB3", (1, 1), &[30])
        };
        let wide = range((2, 2), (8192, 8192), (2, 2));
        assert_eq!(chosen(&[wide], &Wish::default())[0], "RGB3 1280x720 30/s");
        let broken = range((64, 64), (10, 10), (0, 0));
        assert_eq!(chosen(&[broken], &Wish::default())[0], "RGB3 64x64 30/s");
        assert!(formats(&[offer(b"YUYV", (0, 480), &[30])], &Wish::default()).is_empty());
    }
}
