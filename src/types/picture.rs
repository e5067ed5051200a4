//! A picture in memory, in the one pixel format of the whole program.
//!
//! Each pixel is a `u32` of the form 0x00RRGGBB, row by row without padding:
//! what an X server hands out on a 24-bit screen, so a captured window is
//! copied once and equal colours are equal numbers.

use image::RgbImage;

/// A picture: `width * height` packed pixels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<u32>,
}

/// The three channels of a packed pixel, red first.
#[must_use]
pub const fn channels(pixel: u32) -> [u8; 3] {
    [(pixel >> 16) as u8, (pixel >> 8) as u8, pixel as u8]
}

/// A packed pixel from its channels, red first.
#[must_use]
pub const fn packed([r, g, b]: [u8; 3]) -> u32 {
    (r as u32) << 16 | (g as u32) << 8 | b as u32
}

impl Picture {
    /// A picture of one colour.
    #[must_use]
    pub fn filled(width: u32, height: u32, rgb: [u8; 3]) -> Self {
        Self {
            width,
            height,
            pixels: vec![packed(rgb); width as usize * height as usize],
        }
    }

    /// Changes the size, keeping the allocation; the contents are then arbitrary.
    pub fn reshape(&mut self, width: u32, height: u32) {
        self.width = width;
        self.height = height;
        self.pixels.resize(width as usize * height as usize, 0);
    }

    /// Width in pixels.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// All pixels, row by row, each 0x00RRGGBB.
    #[must_use]
    pub fn pixels(&self) -> &[u32] {
        &self.pixels
    }

    /// All pixels, to be written.
    pub fn pixels_mut(&mut self) -> &mut [u32] {
        &mut self.pixels
    }

    /// One row of packed pixels; panics when `y` is not inside.
    #[must_use]
    pub fn row(&self, y: u32) -> &[u32] {
        let w = self.width as usize;
        &self.pixels[y as usize * w..][..w]
    }

    /// The packed pixel at (x, y); panics when it is not inside.
    #[must_use]
    pub fn at(&self, x: u32, y: u32) -> u32 {
        self.row(y)[x as usize]
    }

    /// Red, green and blue at (x, y); panics when it is not inside.
    #[must_use]
    pub fn rgb(&self, x: u32, y: u32) -> [u8; 3] {
        channels(self.at(x, y))
    }

    /// Sets a pixel; does nothing outside the picture.
    pub fn set(&mut self, x: i64, y: i64, rgb: [u8; 3]) {
        if x >= 0 && y >= 0 && x < i64::from(self.width) && y < i64::from(self.height) {
            self.pixels[y as usize * self.width as usize + x as usize] = packed(rgb);
        }
    }

    /// A copy of the part of the picture inside the rectangle.
    #[must_use]
    pub fn crop(&self, x: u32, y: u32, width: u32, height: u32) -> Self {
        let x = x.min(self.width);
        let y = y.min(self.height);
        let width = width.min(self.width - x);
        let height = height.min(self.height - y);
        let mut pixels = Vec::with_capacity(width as usize * height as usize);
        for row in y..y + height {
            pixels.extend_from_slice(&self.row(row)[x as usize..][..width as usize]);
        }
        Self {
            width,
            height,
            pixels,
        }
    }

    /// The picture as a mirror shows it: left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut out = self.clone();
        for row in out.pixels.chunks_exact_mut(self.width.max(1) as usize) {
            row.reverse();
        }
        out
    }

    /// From the `image` crate's form.
    #[must_use]
    pub fn from_rgb(image: &RgbImage) -> Self {
        Self {
            width: image.width(),
            height: image.height(),
            pixels: image.pixels().map(|p| packed(p.0)).collect(),
        }
    }

    /// Into the `image` crate's form, for files and drawing.
    #[must_use]
    pub fn to_rgb(&self) -> RgbImage {
        let mut out = RgbImage::new(self.width, self.height);
        for (to, &from) in out.pixels_mut().zip(&self.pixels) {
            to.0 = channels(from);
        }
        out
    }
}
