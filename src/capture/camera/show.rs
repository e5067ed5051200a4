//! A virtual camera that this program feeds: what is shown on it any program can watch as a camera.
//!
//! Takes a device of the driver v4l2loopback and pictures of one size; gives them to whoever has
//! the camera open. Must never wait for those who watch.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use v4l::video::Output as _;
use v4l::{Device, FourCC};

use super::super::CaptureError;
use crate::types::Picture;
use crate::types::picture::channels;

/// A virtual camera, open for writing.
pub struct VirtualCamera {
    device: Device,
    path: PathBuf,
    size: (u32, u32),
    bytes: Vec<u8>,
}

impl VirtualCamera {
    /// Opens it for pictures of this size; its width must be even.
    ///
    /// # Errors
    /// When there is no such device, or it cannot be fed.
    pub fn open(path: &Path, size: (u32, u32)) -> Result<Self, CaptureError> {
        let name = path.display();
        let cannot = |why: &str| {
            CaptureError::Open(format!(
                "cannot show pictures on {name}: {why}; a virtual camera is made by `sudo modprobe \
                 v4l2loopback video_nr=10 card_label=Kibitzer exclusive_caps=1`"
            ))
        };
        let device = Device::with_path(path).map_err(|e| cannot(&e.to_string()))?;
        let wish = v4l::Format::new(size.0, size.1, FourCC::new(b"YUYV"));
        let got = device
            .set_format(&wish)
            .map_err(|e| cannot(&e.to_string()))?;
        if (got.width, got.height) != size || got.fourcc.repr != *b"YUYV" {
            return Err(cannot(&format!(
                "it takes {} of {}x{} only, as long as somebody watches",
                got.fourcc, got.width, got.height
            )));
        }
        Ok(Self {
            device,
            path: path.to_owned(),
            size,
            bytes: Vec::new(),
        })
    }

    /// Shows a picture from now on.
    ///
    /// # Errors
    /// When it has another size, or the device is gone.
    pub fn show(&mut self, picture: &Picture) -> Result<(), CaptureError> {
        let lost = |why: String| CaptureError::Lost(format!("{}: {why}", self.path.display()));
        let size = (picture.width(), picture.height());
        if size != self.size {
            return Err(lost(format!(
                "a picture of {size:?} px for {:?}",
                self.size
            )));
        }
        pack(picture, &mut self.bytes);
        self.device
            .write_all(&self.bytes)
            .map_err(|e| lost(e.to_string()))
    }
}

/// Two bytes a pixel: brightness, and in turn what is blue and red in a pair of pixels.
fn pack(picture: &Picture, bytes: &mut Vec<u8>) {
    bytes.clear();
    for y in 0..picture.height() {
        for pair in picture.row(y).as_chunks::<2>().0 {
            let [a, b] = pair.map(|p| channels(p).map(i32::from));
            let luma = |[r, g, b]: [i32; 3]| ((66 * r + 129 * g + 25 * b + 128) >> 8) + 16;
            let [r, g, blue] = [0, 1, 2].map(|c| (a[c] + b[c] + 1) / 2);
            let u = ((-38 * r - 74 * g + 112 * blue + 128) >> 8) + 128;
            let v = ((112 * r - 94 * g - 18 * blue + 128) >> 8) + 128;
            bytes.extend([luma(a), u, luma(b), v].map(|c| c.clamp(0, 255) as u8));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::decode::{Decoder, Packing, Shape};
    use super::*;
    use crate::types::Turn;

    #[test]
    fn what_is_packed_is_decoded_again() {
        let colours = [
            [0, 0, 0],
            [255, 255, 255],
            [200, 30, 60],
            [20, 90, 250],
            [128, 255, 3],
        ];
        let mut picture = Picture::filled(10, 3, [0; 3]);
        for (i, rgb) in (0..).zip(colours) {
            for (x, y) in (0..2).flat_map(|x| (0..3).map(move |y| (x, y))) {
                picture.set(2 * i + x, y, rgb);
            }
        }
        let mut bytes = Vec::new();
        pack(&picture, &mut bytes);
        let shape = Shape {
            packing: Packing::Yuyv,
            width: 10,
            height: 3,
            stride: 0,
        };
        let mut back = Picture::default();
        let done = Decoder::default().decode(shape, Turn::default(), &bytes, &mut back);
        assert_eq!(done, Ok(()));
        for (a, b) in picture.pixels().iter().zip(back.pixels()) {
            let [a, b] = [*a, *b].map(channels);
            let near = { a.iter().zip(b) }.all(|(a, b)| a.abs_diff(b) <= 3);
            assert!(near, "{a:?} {b:?}");
        }
    }
}
