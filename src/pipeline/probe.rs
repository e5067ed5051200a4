//! Measuring the delays of a rig: from a key to its effect in a frame, and from light to a key.
//!
//! Takes a source, hands and a permit; presses keys at moments that nothing else knows, and looks
//! for the first frame that differs. Must never take a change that came by itself for an effect
//! of a key: it waits until the picture is still, learns how much a still picture differs from
//! itself, and counts a key without an effect as one.

use std::sync::Arc;
use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::act::{ActError, Done, Hands};
use crate::capture::{CaptureError, FrameSource};
use crate::types::{Action, Armed, Clock, Feed, Frame, Picture, Stop, Stroke, Time};

/// The picture must have been still for so long before a key.
const STILL: Duration = Duration::from_millis(250);

/// Then so much longer, drawn for each key: keys and frames must not fall into step.
const JITTER: Duration = Duration::from_millis(250);

/// A key that shows nothing after this has no effect.
const LIMIT: Duration = Duration::from_millis(2000);

/// A picture that is not still for so long never will be.
const RESTLESS: Duration = Duration::from_secs(15);

/// How long one look waits for a frame.
const LOOK: Duration = Duration::from_millis(5);

/// Parts of the picture that are compared, across and down.
const BLOCKS: (usize, usize) = (24, 18);

/// The least difference of a part (of 255) that is a change, and how many times the difference of
/// a still picture it must be.
const LEAST: f32 = 4.0;
const TIMES: f32 = 3.0;

/// What is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Keys that change the picture, pressed in turn.
    pub keys: Vec<String>,
    /// How often a key is pressed.
    pub samples: u32,
    /// How often a change that came by itself is answered with a key.
    pub reactions: u32,
    /// The window that gets the keys.
    pub window: Option<u32>,
    /// Seed of the moments.
    pub seed: u64,
}

/// What came of it. All times in order of their length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    /// From a key going down to the first frame that differs.
    pub key_to_photon: Vec<Duration>,
    /// Keys without an effect.
    pub missed: u32,
    /// From a frame that differs to the key that answers it going down.
    pub photon_to_key: Vec<Duration>,
    /// Between two frames, in the middle.
    pub frame: Duration,
}

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// The source failed.
    #[error(transparent)]
    Source(#[from] CaptureError),
    /// The hands failed.
    #[error(transparent)]
    Hands(#[from] ActError),
    /// The source ended or shows nothing.
    #[error("{0}")]
    Blind(String),
    /// The picture is never still.
    #[error(
        "the picture is not still for {:.2} s, so that no change can be told from others: point it \
         at `kibitzer target flash`, pause the game, or choose a region without movement",
        STILL.as_secs_f64()
    )]
    Restless,
    /// The user.
    #[error("stopped: {0}")]
    Stopped(String),
}

/// The value below which this share of sorted times lies.
#[must_use]
pub fn quantile(sorted: &[Duration], share: f64) -> Option<Duration> {
    let last = sorted.len().checked_sub(1)?;
    sorted.get((last as f64 * share).ceil() as usize).copied()
}

/// The middle colours of a picture's parts.
struct Blocks(Vec<[f32; 3]>);

impl Blocks {
    fn of(picture: &Picture) -> Self {
        let (w, h) = (picture.width() as usize, picture.height() as usize);
        let pixels = picture.pixels();
        let mut sums = vec![[0f32; 4]; BLOCKS.0 * BLOCKS.1];
        // Every pixel of a large picture would take longer than a frame.
        let step = (w * h / 200_000).max(1);
        for y in (0..h).step_by(step.min(4)) {
            let row = (y * BLOCKS.1 / h) * BLOCKS.0;
            for x in (0..w).step_by(step) {
                let [b, g, r, _] = pixels[y * w + x].to_le_bytes();
                let sum = &mut sums[row + x * BLOCKS.0 / w];
                sum[0] += f32::from(r);
                sum[1] += f32::from(g);
                sum[2] += f32::from(b);
                sum[3] += 1.0;
            }
        }
        let middle = |s: &[f32; 4]| [s[0], s[1], s[2]].map(|v| v / s[3].max(1.0));
        Self(sums.iter().map(middle).collect())
    }

    /// The largest difference of a part.
    fn difference(&self, other: &Self) -> f32 {
        let pairs = self.0.iter().zip(&other.0);
        let parts = pairs.map(|(a, b)| (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0f32, f32::max));
        parts.fold(0.0, f32::max)
    }
}

/// A rig about to be measured.
pub struct Probe<'a> {
    /// Frames, each with the moment of its light.
    source: &'a mut dyn FrameSource,
    /// Hands that are not waited for.
    hands: &'a mut dyn Hands,
    /// Permission for one key.
    permit: &'a mut dyn FnMut(Time) -> Result<Armed, ActError>,
    /// The time of source and hands.
    clock: Arc<dyn Clock>,
    /// Ends it.
    stop: Stop,
    /// Frames that came while a key was being made.
    early: Vec<(Time, Blocks)>,
    /// How the key ended, once it did.
    done: Option<Result<Done, ActError>>,
}

impl<'a> Probe<'a> {
    /// A rig whose source and hands tell the time by `clock`.
    pub fn new(
        source: &'a mut dyn FrameSource,
        hands: &'a mut dyn Hands,
        permit: &'a mut dyn FnMut(Time) -> Result<Armed, ActError>,
        clock: Arc<dyn Clock>,
        stop: Stop,
    ) -> Self {
        Self {
            source,
            hands,
            permit,
            clock,
            stop,
            early: Vec::new(),
            done: None,
        }
    }

    /// Measures. `told` hears of every sample: a word, and how long it took.
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn measure(
        mut self,
        plan: &Plan,
        told: &mut dyn FnMut(&str, Option<Duration>),
    ) -> Result<Delays, ProbeError> {
        let mut delays = Delays::default();
        let mut gaps = Vec::new();
        let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
        for n in 0..plan.samples {
            let key = &plan.keys[n as usize % plan.keys.len().max(1)];
            let (still, noise) = self.be_still(&mut rng, &mut gaps)?;
            let down = self.press(key, u64::from(n), plan.window)?;
            let took = self.first_change(&still, noise, down)?;
            told(key, took);
            match took {
                Some(took) => delays.key_to_photon.push(took),
                None => delays.missed += 1,
            }
        }
        for n in 0..plan.reactions {
            let key = &plan.keys[n as usize % plan.keys.len().max(1)];
            let (still, noise) = self.be_still(&mut rng, &mut gaps)?;
            let seen = self.change_by_itself(&still, noise)?;
            let down = self.press(key, u64::from(plan.samples + n), plan.window)?;
            let took = down.since(seen);
            told("flash", Some(took));
            delays.photon_to_key.push(took);
        }
        delays.key_to_photon.sort_unstable();
        delays.photon_to_key.sort_unstable();
        gaps.sort_unstable();
        delays.frame = quantile(&gaps, 0.5).unwrap_or_default();
        Ok(delays)
    }

    /// The next frame, if one comes soon.
    fn look(&mut self) -> Result<Option<Frame>, ProbeError> {
        if let Some(why) = self.stop.reason() {
            return Err(ProbeError::Stopped(why.to_owned()));
        }
        let now = self.clock.now();
        // Also while nothing is under way: keys may still be on their way.
        if let Some(done) = self.hands.poll(now) {
            self.done = Some(done);
        }
        let soon = now + LOOK;
        match self
            .source
            .next(self.hands.due().map_or(soon, |due| due.min(soon)))?
        {
            Feed::Frame(frame) => Ok(Some(frame)),
            Feed::Quiet => Ok(None),
            Feed::Hidden(how) => Err(ProbeError::Blind(format!(
                "the source shows nothing ({how:?}): bring it to the front"
            ))),
            Feed::Ended(why) => Err(ProbeError::Blind(why)),
        }
    }

    /// Waits until the picture is still, and then a little. The still picture, and what
    /// difference to it is a change.
    fn be_still(
        &mut self,
        rng: &mut ChaCha8Rng,
        gaps: &mut Vec<Duration>,
    ) -> Result<(Blocks, f32), ProbeError> {
        let begun = self.clock.now();
        let wait = STILL + JITTER.mul_f64(rng.random::<f64>());
        let mut last: Option<(Blocks, Time)> = None;
        let (mut since, mut noise) = (begun, 0.0f32);
        loop {
            let now = self.clock.now();
            if let Some((blocks, _)) = &last
                && now.since(since) >= wait
            {
                let still = Blocks(blocks.0.clone());
                return Ok((still, (noise * TIMES).max(LEAST)));
            }
            if now.since(begun) > RESTLESS {
                return Err(match last {
                    Some(_) => ProbeError::Restless,
                    None => ProbeError::Blind("no frame came from the source".into()),
                });
            }
            let Some(frame) = self.look()? else {
                continue;
            };
            let seen = Blocks::of(&frame.picture);
            if let Some((before, at)) = &last {
                gaps.push(frame.captured_at.since(*at));
                let difference = seen.difference(before);
                if difference > (noise * TIMES).max(LEAST) {
                    (since, noise) = (self.clock.now(), 0.0);
                } else {
                    noise = noise.max(difference);
                }
            } else {
                since = self.clock.now();
            }
            last = Some((seen, frame.captured_at));
        }
    }

    /// Presses a key; when it went down. Frames that come meanwhile are lost only if the source
    /// drops them: the hands have a thread of their own.
    fn press(&mut self, key: &str, id: u64, window: Option<u32>) -> Result<Time, ProbeError> {
        let now = self.clock.now();
        let permit = (self.permit)(now)?;
        let action = Action {
            id,
            cause_seq: 0,
            cause_at: now,
            expires_at: now + LIMIT,
            strokes: vec![Stroke::Key(key.to_owned())],
            window,
            origin: None,
        };
        self.early.clear();
        self.done = None;
        self.hands.start(action, permit, now)?;
        loop {
            if let Some(done) = self.done.take() {
                return Ok(done?.down);
            }
            if let Some(frame) = self.look()? {
                let seen = Blocks::of(&frame.picture);
                self.early.push((frame.captured_at, seen));
            }
        }
    }

    /// How long after `down` the light of the first frame was captured that differs.
    fn first_change(
        &mut self,
        still: &Blocks,
        noise: f32,
        down: Time,
    ) -> Result<Option<Duration>, ProbeError> {
        let early = std::mem::take(&mut self.early);
        for (at, seen) in early {
            // A change before the key is none of its own: the sample is worth nothing.
            if seen.difference(still) > noise {
                return Ok((at > down).then(|| at.since(down)));
            }
        }
        while self.clock.now().since(down) < LIMIT {
            if let Some(frame) = self.look()?
                && Blocks::of(&frame.picture).difference(still) > noise
            {
                return Ok((frame.captured_at > down).then(|| frame.captured_at.since(down)));
            }
        }
        Ok(None)
    }

    /// Waits for a change that nobody here made; when its light was captured.
    fn change_by_itself(&mut self, still: &Blocks, noise: f32) -> Result<Time, ProbeError> {
        let begun = self.clock.now();
        while self.clock.now().since(begun) < RESTLESS {
            if let Some(frame) = self.look()?
                && Blocks::of(&frame.picture).difference(still) > noise
            {
                return Ok(frame.captured_at);
            }
        }
        Err(ProbeError::Blind(
            "nothing changed by itself: show `kibitzer target flash --by-itself`".into(),
        ))
    }
}
