//! A camera of this machine, through the kernel's own interface (Video4Linux).
//!
//! Takes a [`CameraSpec`]; opens the camera that it names, agrees on a format, sets the controls
//! and gives its newest pictures with the time of their exposure. Every call returns within its
//! limit as far as the driver lets it. Must never decide when to try again: that is the grabber's.
//!
//! The kernel's interface and not a portable crate on top of it: those tell neither when a picture
//! was exposed nor which were lost, wait for pictures without a limit, and keep no control set.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustix::event::PollFlags;
use rustix::time::{ClockId, clock_gettime};
use v4l::buffer::{Flags as BufferFlags, Metadata, Type};
use v4l::capability::Flags as Capability;
use v4l::device::Handle;
use v4l::frameinterval::FrameIntervalEnum;
use v4l::framesize::FrameSizeEnum;
use v4l::io::mmap::Stream;
use v4l::io::traits::{CaptureStream, Stream as _};
use v4l::video::Capture as _;
use v4l::video::capture::Parameters;
use v4l::{Device, FourCC, Fraction};

use super::controls::{self, Kept};
use super::decode::{Decoder, Packing, Shape};
use super::format::{self, Format, Interval, Offer, Sizes, Wish};
use super::grab::{Fault, Grab, Opened, Opener, Told, guarded};
use super::name::{self, Listed};
use crate::types::{CameraSpec, CameraTrouble, Clock, Picture, Time, Turn};

/// Buffers asked for: one that is being decoded, one that is being filled, two between them.
const BUFFERS: u32 = 4;

/// The first picture after opening may be one that was left over from before if it is older. A later
/// one that is has a time of another clock.
const OLDEST: Duration = Duration::from_secs(2);

/// Sizes of a camera that are looked at.
const MOST_SIZES: usize = 64;

/// Opens the camera that a spec names, again and again: it is looked up by its name each time.
pub struct Local {
    spec: CameraSpec,
    clock: Arc<dyn Clock>,
}

impl Local {
    /// For this spec; its times are told on `clock`.
    #[must_use]
    pub const fn new(spec: CameraSpec, clock: Arc<dyn Clock>) -> Self {
        Self { spec, clock }
    }
}

impl Opener for Local {
    fn open(&mut self) -> Result<Box<dyn Opened>, Fault> {
        let all = name::list();
        let listed = choose(&all, self.spec.which.text())?;
        Ok(Box::new(Camera::open(listed, &self.spec, &self.clock)?))
    }
}

/// The camera that is meant by a name.
///
/// # Errors
/// When none or several fit, with what there is.
pub fn choose<'a>(all: &'a [Listed], wanted: &str) -> Result<&'a Listed, Fault> {
    let gives = |c: &Listed| survey_with(c, |_| ()).is_ok();
    name::choose(all, wanted, &gives).map_err(|text| Fault {
        trouble: CameraTrouble::Gone,
        text,
    })
}

/// Whether it delivers pictures in a way that is used here.
fn gives_pictures(device: &Device) -> Result<(), String> {
    let caps = device.query_caps().map_err(|e| e.to_string())?;
    let needed = Capability::VIDEO_CAPTURE | Capability::STREAMING;
    if caps.capabilities.contains(needed) {
        return Ok(());
    }
    Err(match &*caps.driver {
        "v4l2 loopback" => "it is a virtual camera that no program feeds now".to_owned(),
        _ => format!("it gives no pictures ({:?})", caps.capabilities),
    })
}

/// What went wrong with a camera.
fn fault(device: &Path, what: &str, error: &io::Error) -> Fault {
    let trouble = match error.raw_os_error() {
        // ENOENT, ENXIO, ENODEV
        Some(2 | 6 | 19) => CameraTrouble::Gone,
        // EPERM, EACCES
        Some(1 | 13) => CameraTrouble::Denied,
        // EBUSY
        Some(16) => CameraTrouble::Busy,
        // EIO, EPROTO, ETIMEDOUT: what a bad cable or a fallen-over firmware gives
        Some(5 | 71 | 110) => CameraTrouble::Hanging,
        _ if error.kind() == io::ErrorKind::TimedOut => CameraTrouble::Hanging,
        _ => CameraTrouble::Refusing,
    };
    Fault {
        trouble,
        text: format!("{} {what}: {error}", device.display()),
    }
}

/// Everything that a camera offers.
fn offers(device: &Device) -> Vec<Offer> {
    let mut offers = Vec::new();
    for described in device.enum_formats().unwrap_or_default() {
        let fourcc = described.fourcc;
        let intervals = |w: u32, h: u32| -> Vec<Interval> {
            let told = device.enum_frameintervals(fourcc, w, h).unwrap_or_default();
            let fraction = |f: &Fraction| (f.numerator, f.denominator);
            let each = told.iter().flat_map(|i| match &i.interval {
                FrameIntervalEnum::Discrete(f) => vec![fraction(f)],
                // The longest and shortest, and a usual one if it lies between.
                FrameIntervalEnum::Stepwise(s) => {
                    let (short, long) = (fraction(&s.min), fraction(&s.max));
                    let between = |i: &Interval| {
                        (format::rate(long)..=format::rate(short)).contains(&format::rate(*i))
                    };
                    let usual = [(1, 30)].into_iter().filter(between);
                    [short, long].into_iter().chain(usual).collect()
                }
            });
            each.collect()
        };
        for size in device
            .enum_framesizes(fourcc)
            .unwrap_or_default()
            .iter()
            .take(MOST_SIZES)
        {
            let (sizes, probe) = match &size.size {
                FrameSizeEnum::Discrete(d) => (Sizes::One(d.width, d.height), (d.width, d.height)),
                FrameSizeEnum::Stepwise(s) => (
                    Sizes::Range {
                        least: (s.min_width, s.min_height),
                        most: (s.max_width, s.max_height),
                        step: (s.step_width, s.step_height),
                    },
                    (s.min_width, s.min_height),
                ),
            };
            offers.push(Offer {
                letters: fourcc.repr,
                sizes,
                intervals: intervals(probe.0, probe.1),
            });
        }
    }
    offers
}

/// What is known of a camera without taking pictures.
#[derive(Clone, Debug)]
pub struct Survey {
    /// What it offers.
    pub offers: Vec<Offer>,
    /// Its controls, as they are now.
    pub controls: Vec<controls::Now>,
}

/// Asks a camera what it offers.
///
/// # Errors
/// When it cannot be opened, or gives no pictures.
pub fn survey(listed: &Listed) -> Result<Survey, Fault> {
    survey_with(listed, |device| Survey {
        offers: offers(device),
        controls: controls::read(device),
    })
}

/// Opens a camera only to ask it something.
fn survey_with<T>(listed: &Listed, ask: impl FnOnce(&Device) -> T) -> Result<T, Fault> {
    let path = &listed.device;
    guarded(|| {
        let device = Device::with_path(path).map_err(|e| fault(path, "cannot be opened", &e))?;
        gives_pictures(&device).map_err(|why| Fault {
            trouble: CameraTrouble::Refusing,
            text: format!("{}: {why}", path.display()),
        })?;
        Ok(ask(&device))
    })
}

/// An opened camera.
struct Camera {
    name: String,
    stream: Stream<'static>,
    handle: Arc<Handle>,
    shape: Shape,
    turn: Turn,
    decoder: Decoder,
    clock: Arc<dyn Clock>,
    /// The number of the last picture.
    sequence: Option<u32>,
    told: Told,
}

impl Camera {
    fn open(listed: &Listed, spec: &CameraSpec, clock: &Arc<dyn Clock>) -> Result<Self, Fault> {
        let path = &listed.device;
        let refusing = |why: String| Fault {
            trouble: CameraTrouble::Refusing,
            text: format!("{} ({}): {why}", listed.stable(), listed.card),
        };
        let device = Device::with_path(path).map_err(|e| fault(path, "cannot be opened", &e))?;
        gives_pictures(&device).map_err(refusing)?;
        let offered = offers(&device);
        let wish = Wish {
            size: spec.size,
            rate: spec.rate,
            letters: spec.format.as_deref().and_then(letters),
        };
        let wanted = format::formats(&offered, &wish);
        if wanted.is_empty() {
            let mut names: Vec<String> = offered.iter().map(|o| format::name(o.letters)).collect();
            names.dedup();
            return Err(refusing(format!(
                "none of its formats can be decoded here ({})",
                names.join(", ")
            )));
        }
        let mut last = None;
        for format in wanted {
            match agree(&device, &format) {
                Ok((shape, interval)) => {
                    let kept = controls::set(&device, &spec.controls);
                    let stream = start(&device)
                        .map_err(|e| fault(path, &format!("does not start with {format}"), &e));
                    match stream {
                        Ok(stream) => {
                            let format = Format {
                                width: shape.width,
                                height: shape.height,
                                packing: shape.packing,
                                interval,
                                ..format
                            };
                            return Ok(Self::new(listed, stream, shape, format, kept, spec, clock));
                        }
                        // Another format does not help there.
                        Err(e) if e.trouble != CameraTrouble::Refusing => return Err(e),
                        Err(e) => last = Some(e),
                    }
                }
                Err(Disagreement::Io(e)) => {
                    let e = fault(path, &format!("refuses {format}"), &e);
                    if e.trouble != CameraTrouble::Refusing {
                        return Err(e);
                    }
                    last = Some(e);
                }
                Err(Disagreement::Other(other)) => {
                    last = Some(refusing(format!("asked for {format} it gives {other}")));
                }
            }
        }
        Err(last.unwrap_or_else(|| refusing("it refuses every format".to_owned())))
    }

    fn new(
        listed: &Listed,
        stream: Stream<'static>,
        shape: Shape,
        format: Format,
        controls: Vec<Kept>,
        spec: &CameraSpec,
        clock: &Arc<dyn Clock>,
    ) -> Self {
        Self {
            name: listed.device.display().to_string(),
            handle: stream.handle(),
            stream,
            shape,
            turn: spec.turn,
            decoder: Decoder::default(),
            clock: Arc::clone(clock),
            sequence: None,
            told: Told {
                camera: listed.line(),
                format: format.to_string(),
                rate: format.rate(),
                controls,
            },
        }
    }

    /// Whether there is a picture within the limit.
    fn is_ready(&self, limit: Duration) -> Result<bool, Fault> {
        let millis = i32::try_from(limit.as_millis()).unwrap_or(i32::MAX);
        match self.handle.poll(PollFlags::IN.bits() as i16, millis) {
            Ok(ready) => Ok(ready > 0),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok(false),
            Err(e) => Err(fault(Path::new(&self.name), "cannot be waited for", &e)),
        }
    }
}

/// The four letters of a format's name.
fn letters(name: &str) -> Option<[u8; 4]> {
    let mut letters = [b' '; 4];
    let name = name.as_bytes();
    letters.get_mut(..name.len())?.copy_from_slice(name);
    Some(letters)
}

enum Disagreement {
    Io(io::Error),
    /// It was accepted, but another one is in use.
    Other(String),
}

/// Asks for a format; gives what pictures look like then, and their interval.
fn agree(device: &Device, format: &Format) -> Result<(Shape, Option<Interval>), Disagreement> {
    let wish = v4l::Format::new(format.width, format.height, FourCC::new(&format.letters));
    let got = device.set_format(&wish).map_err(Disagreement::Io)?;
    // Drivers may round the size; another packing under a name that is not known is of no use.
    let Some(packing) = Packing::from_letters(got.fourcc.repr) else {
        let other = format::name(got.fourcc.repr);
        return Err(Disagreement::Other(other));
    };
    let shape = Shape {
        packing,
        width: got.width,
        height: got.height,
        stride: got.stride,
    };
    if u64::from(got.width) * u64::from(got.height) > super::super::files::MAX_PIXELS {
        let other = format!("{}x{}", got.width, got.height);
        return Err(Disagreement::Other(other));
    }
    let interval = match format.interval {
        Some((numerator, denominator)) => {
            let wish = Parameters::new(Fraction::new(numerator, denominator));
            device.set_params(&wish).ok()
        }
        None => device.params().ok(),
    };
    let interval = interval.map(|p| (p.interval.numerator, p.interval.denominator));
    Ok((shape, interval.filter(|i| format::rate(*i) > 0.0)))
}

/// Starts the stream with all buffers but one in the driver's hands: the first call for a picture
/// hands in that one.
fn start(device: &Device) -> io::Result<Stream<'static>> {
    let mut stream = Stream::with_buffers(device, Type::VideoCapture, BUFFERS)?;
    stream.set_timeout(Duration::from_millis(500));
    // The driver may give fewer buffers than asked for.
    for index in 1..BUFFERS as usize {
        match CaptureStream::queue(&mut stream, index) {
            Err(e) if e.kind() == io::ErrorKind::InvalidInput => break,
            other => other?,
        }
    }
    stream.start()?;
    Ok(stream)
}

impl Opened for Camera {
    fn told(&self) -> &Told {
        &self.told
    }

    fn grab(&mut self, limit: Duration, into: &mut Picture) -> Result<Grab, Fault> {
        if !self.is_ready(limit)? {
            return Ok(Grab::Nothing);
        }
        let mut missed = 0;
        for left in (0..BUFFERS).rev() {
            let (bytes, meta) = self
                .stream
                .next()
                .map_err(|e| fault(Path::new(&self.name), "gives no picture", &e))?;
            let before = self.sequence.replace(meta.sequence);
            // Those between were overtaken in the driver for want of a buffer.
            let gap = before.map_or(0, |b| meta.sequence.wrapping_sub(b).saturating_sub(1));
            missed += if gap < 10_000 { u64::from(gap) } else { 0 };
            let newer = self.handle.poll(PollFlags::IN.bits() as i16, 0);
            if left > 0 && newer.is_ok_and(|n| n > 0) {
                missed += 1;
                continue;
            }
            if meta.flags.contains(BufferFlags::ERROR) {
                return Ok(Grab::Damaged(
                    "the driver says that it is damaged".to_owned(),
                ));
            }
            let used = (meta.bytesused as usize).min(bytes.len());
            let captured_at = match (time_of(meta, self.clock.as_ref()), before) {
                (Some(at), _) => at,
                (None, Some(_)) => self.clock.now(),
                (None, None) => return Ok(Grab::Nothing),
            };
            let done = self
                .decoder
                .decode(self.shape, self.turn, &bytes[..used], into);
            return Ok(match done {
                Ok(()) => Grab::Picture {
                    captured_at,
                    missed,
                },
                Err(bad) => Grab::Damaged(bad.to_string()),
            });
        }
        Ok(Grab::Nothing)
    }
}

/// When a picture was exposed, on our clock: the driver tells the kernel's monotonic time. `None` if
/// that is in the future or longer ago than [`OLDEST`].
fn time_of(meta: &Metadata, clock: &dyn Clock) -> Option<Time> {
    let now = clock.now();
    if !meta.flags.contains(BufferFlags::TIMESTAMP_MONOTONIC) {
        return Some(now);
    }
    let kernel = clock_gettime(ClockId::Monotonic);
    let told = i128::from(meta.timestamp.sec) * 1_000_000 + i128::from(meta.timestamp.usec);
    let there = i128::from(kernel.tv_sec) * 1_000_000 + i128::from(kernel.tv_nsec) / 1000;
    let age = Duration::from_micros(u64::try_from(there - told).ok()?);
    let since_start = now.since(Time::ZERO);
    // What is older than this run is as old as the run.
    (age <= OLDEST).then(|| Time::ZERO + since_start.saturating_sub(age))
}
