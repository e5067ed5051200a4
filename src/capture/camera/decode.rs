//! From the bytes of a camera's buffer to a picture.
//!
//! Takes what a driver has filled and how it said the pixels are packed; gives an upright picture,
//! or why the buffer is none. Must never trust a size that a driver tells, nor allocate for each
//! frame what can be kept.

use std::io::Cursor;

use image::ImageDecoder as _;
use image::codecs::jpeg::JpegDecoder;

use super::turn::Layout;
use crate::types::picture::packed;
use crate::types::{Picture, Turn};

/// How pixels are packed; those that can be decoded here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Packing {
    /// 4:2:2 in one plane: Y U Y V.
    Yuyv,
    /// 4:2:2 in one plane: U Y V Y.
    Uyvy,
    /// 4:2:0: brightness, then a plane of U V.
    Nv12,
    /// 4:2:0: brightness, then a plane of U and one of V.
    Yuv420,
    /// Brightness only, of 8 bits.
    Grey,
    /// Red, green, blue of 8 bits.
    Rgb,
    /// Blue, green, red of 8 bits.
    Bgr,
    /// A JPEG picture for each frame.
    Jpeg,
}

impl Packing {
    /// By the four letters that drivers use.
    #[must_use]
    pub fn from_letters(letters: [u8; 4]) -> Option<Self> {
        Some(match &letters {
            b"YUYV" | b"YUY2" => Self::Yuyv,
            b"UYVY" => Self::Uyvy,
            b"NV12" => Self::Nv12,
            b"YU12" | b"I420" => Self::Yuv420,
            b"GREY" | b"Y800" => Self::Grey,
            b"RGB3" => Self::Rgb,
            b"BGR3" => Self::Bgr,
            b"MJPG" | b"JPEG" => Self::Jpeg,
            _ => return None,
        })
    }

    /// Bytes of one row of the first plane, where the driver does not say; zero for JPEG.
    const fn row(self, width: usize) -> usize {
        match self {
            Self::Yuyv | Self::Uyvy => width.div_ceil(2) * 4,
            Self::Nv12 | Self::Yuv420 | Self::Grey => width,
            Self::Rgb | Self::Bgr => width * 3,
            Self::Jpeg => 0,
        }
    }
}

/// What a camera fills its buffers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How pixels are packed.
    pub packing: Packing,
    /// In px.
    pub width: u32,
    /// In px.
    pub height: u32,
    /// Bytes from one row to the next as the driver says; zero if it does not.
    pub stride: u32,
}

/// A buffer that is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadBuffer {
    /// Too few bytes.
    #[error("{got} bytes where a picture has {needed}")]
    Short {
        /// What came.
        got: usize,
        /// What is needed.
        needed: usize,
    },
    /// No JPEG picture.
    #[error("a damaged JPEG picture: {0}")]
    Jpeg(String),
    /// A JPEG picture of a size that was not agreed on.
    #[error("a JPEG picture of {got:?} px where {wanted:?} px are agreed on")]
    Size {
        /// What came.
        got: (u32, u32),
        /// What was agreed on.
        wanted: (u32, u32),
    },
}

/// Decodes, with what it keeps from frame to frame.
#[derive(Debug, Default)]
pub struct Decoder {
    /// A decompressed picture, three bytes a pixel.
    rgb: Vec<u8>,
}

impl Decoder {
    /// Decodes a buffer into an upright picture, whose size is changed as needed.
    ///
    /// # Errors
    /// When the buffer does not hold such a picture; the picture's contents are then arbitrary.
    pub fn decode(
        &mut self,
        shape: Shape,
        turn: Turn,
        bytes: &[u8],
        into: &mut Picture,
    ) -> Result<(), BadBuffer> {
        let layout = Layout::new(turn, shape.width, shape.height);
        into.reshape(layout.size.0, layout.size.1);
        let (width, height) = (shape.width as usize, shape.height as usize);
        if width == 0 || height == 0 {
            return Ok(());
        }
        if shape.packing == Packing::Jpeg {
            self.jpeg(shape, bytes)?;
            write(&layout, into, |y| {
                let row = &self.rgb[y * width * 3..][..width * 3];
                row.as_chunks::<3>().0.iter().map(|&rgb| packed(rgb))
            });
            return Ok(());
        }
        let least = shape.packing.row(width);
        let stride = least.max(shape.stride as usize);
        let luma = stride * (height - 1);
        // Planes of colour follow after whole rows; half as wide, and half as high.
        let (half, rows) = (width.div_ceil(2), height.div_ceil(2));
        let thin = stride.div_ceil(2);
        let needed = match shape.packing {
            Packing::Nv12 => stride * height + stride * (rows - 1) + half * 2,
            Packing::Yuv420 => stride * height + thin * rows + thin * (rows - 1) + half,
            _ => luma + least,
        };
        if bytes.len() < needed {
            let got = bytes.len();
            return Err(BadBuffer::Short { got, needed });
        }
        let row = |y: usize| &bytes[y * stride..][..least];
        match shape.packing {
            Packing::Yuyv => write(&layout, into, |y| {
                let pairs = row(y).as_chunks::<4>().0.iter();
                pairs.flat_map(|&[a, u, b, v]| both(a, b, u, v))
            }),
            Packing::Uyvy => write(&layout, into, |y| {
                let pairs = row(y).as_chunks::<4>().0.iter();
                pairs.flat_map(|&[u, a, v, b]| both(a, b, u, v))
            }),
            Packing::Nv12 => write(&layout, into, |y| {
                let colour = &bytes[stride * (height + y / 2)..][..half * 2];
                let colour = colour.as_chunks::<2>().0.iter();
                let colour = colour.flat_map(|&uv| [uv, uv]);
                row(y)
                    .iter()
                    .zip(colour)
                    .map(|(&l, [u, v])| colours(l, u, v))
            }),
            Packing::Yuv420 => write(&layout, into, |y| {
                let u = &bytes[stride * height + thin * (y / 2)..][..half];
                let v = &bytes[stride * height + thin * (rows + y / 2)..][..half];
                let colour = u.iter().zip(v).flat_map(|uv| [uv, uv]);
                row(y)
                    .iter()
                    .zip(colour)
                    .map(|(&l, (&u, &v))| colours(l, u, v))
            }),
            Packing::Grey => write(&layout, into, |y| row(y).iter().map(|&l| packed([l, l, l]))),
            Packing::Rgb => write(&layout, into, |y| {
                row(y).as_chunks::<3>().0.iter().map(|&rgb| packed(rgb))
            }),
            Packing::Bgr => write(&layout, into, |y| {
                let pixels = row(y).as_chunks::<3>().0.iter();
                pixels.map(|&[b, g, r]| packed([r, g, b]))
            }),
            Packing::Jpeg => {}
        }
        Ok(())
    }

    fn jpeg(&mut self, shape: Shape, bytes: &[u8]) -> Result<(), BadBuffer> {
        let bad = |e: image::ImageError| BadBuffer::Jpeg(e.to_string());
        let decoder = JpegDecoder::new(Cursor::new(bytes)).map_err(bad)?;
        let (got, wanted) = (decoder.dimensions(), (shape.width, shape.height));
        if got != wanted {
            return Err(BadBuffer::Size { got, wanted });
        }
        let pixels = got.0 as usize * got.1 as usize;
        self.rgb.resize(pixels * 3, 0);
        if decoder.color_type() == image::ColorType::L8 {
            // A camera that sees no colours; its picture is spread from the end on.
            decoder.read_image(&mut self.rgb[..pixels]).map_err(bad)?;
            for i in (0..pixels).rev() {
                let l = self.rgb[i];
                self.rgb[i * 3..][..3].fill(l);
            }
            return Ok(());
        }
        let needed = usize::try_from(decoder.total_bytes()).unwrap_or(usize::MAX);
        if needed != self.rgb.len() {
            return Err(BadBuffer::Jpeg("its colours are not of 8 bits".to_owned()));
        }
        decoder.read_image(&mut self.rgb).map_err(bad)
    }
}

/// Writes the camera's rows, each of which `pixels` gives, to where they belong.
fn write<I: Iterator<Item = u32>>(
    layout: &Layout,
    into: &mut Picture,
    mut pixels: impl FnMut(usize) -> I,
) {
    let upright = layout.row(0) == (0, 1);
    let length = layout.from.0 as usize;
    let to = into.pixels_mut();
    for y in 0..layout.from.1 as usize {
        let (start, step) = layout.row(y as u32);
        if upright {
            let row = &mut to[y * length..][..length];
            row.iter_mut()
                .zip(pixels(y))
                .for_each(|(to, from)| *to = from);
            continue;
        }
        let mut at = start;
        for from in pixels(y).take(length) {
            // Inside by the layout's making.
            to[at as usize] = from;
            at += step;
        }
    }
}

/// Two pixels that share their colour.
fn both(a: u8, b: u8, u: u8, v: u8) -> [u32; 2] {
    let tint = Tint::new(u, v);
    [tint.pixel(a), tint.pixel(b)]
}

fn colours(luma: u8, u: u8, v: u8) -> u32 {
    Tint::new(u, v).pixel(luma)
}

/// What a colour adds to the brightness, by ITU-R BT.601 with 16 to 235 for black to white: what
/// webcams deliver. In 1/256.
struct Tint {
    red: i32,
    green: i32,
    blue: i32,
}

impl Tint {
    fn new(u: u8, v: u8) -> Self {
        let (u, v) = (i32::from(u) - 128, i32::from(v) - 128);
        Self {
            red: 409 * v + 128,
            green: -100 * u - 208 * v + 128,
            blue: 516 * u + 128,
        }
    }

    fn pixel(&self, luma: u8) -> u32 {
        let bright = 298 * (i32::from(luma) - 16);
        let level = |add: i32| ((bright + add) >> 8).clamp(0, 255) as u8;
        packed([level(self.red), level(self.green), level(self.blue)])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::types::picture::channels;

    const ALL: [Packing; 8] = [
        Packing::Yuyv,
        Packing::Uyvy,
        Packing::Nv12,
        Packing::Yuv420,
        Packing::Grey,
        Packing::Rgb,
        Packing::Bgr,
        Packing::Jpeg,
    ];

    fn shape(packing: Packing, width: u32, height: u32, stride: u32) -> Shape {
        Shape {
            packing,
            width,
            height,
            stride,
        }
    }

    fn decoded(shape: Shape, bytes: &[u8]) -> Result<Picture, BadBuffer> {
        let mut picture = Picture::default();
        let done = Decoder::default().decode(shape, Turn::default(), bytes, &mut picture);
        done.map(|()| picture)
    }

    /// The formula of the standard, in floating point.
    fn standard(y: u8, u: u8, v: u8) -> [u8; 3] {
        let y = (f64::from(y) - 16.0) * 255.0 / 219.0;
        let [u, v] = [u, v].map(|c| (f64::from(c) - 128.0) * 255.0 / 224.0);
        [
            y + 1.402 * v,
            y - 0.344_136 * u - 0.714_136 * v,
            y + 1.772 * u,
        ]
        .map(|c| c.round().clamp(0.0, 255.0) as u8)
    }

    #[test]
    fn colours_are_those_of_the_standard() {
        for y in (0..=255).step_by(5) {
            for u in (0..=255).step_by(15) {
                for v in (0..=255).step_by(15) {
                    let got = channels(colours(y, u, v));
                    let wanted = standard(y, u, v);
                    let near = { got.iter().zip(wanted) }.all(|(a, b)| a.abs_diff(b) <= 1);
                    assert!(near, "{y} {u} {v}: {got:?}, {wanted:?}");
                }
            }
        }
    }

    #[test]
    fn each_packing_shows_the_same_picture() {
        // Two rows of red red | blue blue, the lower one darker, in an odd stride.
        let (red, blue) = ((81u8, 90u8, 240u8), (41u8, 240u8, 110u8));
        let row = |dark: u8, order: fn(u8, (u8, u8, u8)) -> [u8; 4]| {
            let mut bytes: Vec<u8> = [red, blue]
                .iter()
                .flat_map(|&c| order(c.0 - dark, c))
                .collect();
            bytes.extend([7, 7]);
            bytes
        };
        let yuyv: Vec<u8> = [0, 20]
            .iter()
            .flat_map(|&d| row(d, |y, c| [y, c.1, y, c.2]))
            .collect();
        let uyvy: Vec<u8> = [0, 20]
            .iter()
            .flat_map(|&d| row(d, |y, c| [c.1, y, c.2, y]))
            .collect();
        let luma = [81, 81, 41, 41, 9, 9, 61, 61, 21, 21, 9, 9];
        let nv12 = [&luma[..], &[90, 240, 240, 110]].concat();
        let yuv420 = [&luma[..], &[90, 240, 9, 240, 110, 9]].concat();
        let wanted = decoded(shape(Packing::Yuyv, 4, 2, 10), &yuyv).expect("a picture");
        assert_eq!(wanted.rgb(1, 0), [255, 0, 0]);
        for (packing, stride, bytes) in [
            (Packing::Uyvy, 10, &uyvy),
            (Packing::Nv12, 6, &nv12),
            (Packing::Yuv420, 6, &yuv420),
        ] {
            let got = decoded(shape(packing, 4, 2, stride), bytes);
            assert_eq!(got.as_ref(), Ok(&wanted), "{packing:?}");
        }
        let grey = decoded(shape(Packing::Grey, 2, 1, 0), &[3, 200]).expect("a picture");
        assert_eq!((grey.rgb(0, 0), grey.rgb(1, 0)), ([3; 3], [200; 3]));
        let rgb = decoded(shape(Packing::Rgb, 1, 1, 0), &[1, 2, 3]).expect("a picture");
        let bgr = decoded(shape(Packing::Bgr, 1, 1, 0), &[3, 2, 1]).expect("a picture");
        assert_eq!((rgb.rgb(0, 0), &rgb), ([1, 2, 3], &bgr));
    }

    #[test]
    fn jpeg_pictures_of_the_agreed_size_only() {
        let mut file = Vec::new();
        let picture = image::RgbImage::from_pixel(16, 8, image::Rgb([200, 30, 60]));
        let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut file, 95);
        picture.write_with_encoder(encoder).expect("encoded");
        let got = decoded(shape(Packing::Jpeg, 16, 8, 0), &file).expect("a picture");
        let seen = got.rgb(9, 3);
        let near = { seen.iter().zip([200u8, 30, 60]) }.all(|(a, b)| a.abs_diff(b) < 6);
        assert!(near, "{:?}", got.rgb(9, 3));
        // Drivers hand out whole buffers: what follows the picture is not of interest.
        let padded = [&file[..], &[0; 500]].concat();
        assert_eq!(decoded(shape(Packing::Jpeg, 16, 8, 0), &padded), Ok(got));
        let other = decoded(shape(Packing::Jpeg, 8, 8, 0), &file);
        assert!(
            matches!(other, Err(BadBuffer::Size { got: (16, 8), .. })),
            "{other:?}"
        );
        let text = decoded(shape(Packing::Jpeg, 8, 8, 0), b"no picture").expect_err("bad");
        assert!(text.to_string().contains("damaged JPEG"), "{text}");
    }

    #[test]
    fn a_short_buffer_is_told_with_its_size() {
        let short = decoded(shape(Packing::Yuyv, 640, 480, 1280), &[0; 1000]);
        let text = short.expect_err("short").to_string();
        assert_eq!(text, "1000 bytes where a picture has 614400");
    }

    proptest! {
        /// Nothing a driver may hand out makes the decoder panic or read beyond the buffer.
        #[test]
        fn any_buffer_is_a_picture_or_an_error(
            packing in prop::sample::select(&ALL[..]),
            (width, height, stride) in (0u32..40, 0u32..40, 0u32..200),
            bytes in prop::collection::vec(any::<u8>(), 0..9000),
            quarters in 0u8..4,
            mirror: bool,
        ) {
            let mut picture = Picture::default();
            let turn = Turn { quarters, mirror };
            let s = shape(packing, width, height, stride);
            let done = Decoder::default().decode(s, turn, &bytes, &mut picture);
            if done.is_ok() {
                let size = (picture.width(), picture.height());
                prop_assert!(size == (width, height) || size == (height, width));
            }
        }
    }
}
