//! A picture as three planes of bytes, the form in which lattices are looked for.
//!
//! Takes a [`Picture`] and how far to shrink it; gives planes whose rows vectorise. Coordinates
//! in planes are px of the (shrunk) planes with the same convention as frames: pixel (i, j)
//! covers `[i, i+1) x [j, j+1)`.

use crate::types::{Picture, Point, PxFromCell};

/// Red, green and blue planes of one size.
#[derive(Clone, Debug)]
pub struct Planes {
    /// Width in px.
    pub width: usize,
    /// Height in px.
    pub height: usize,
    /// Row by row, red first.
    pub rgb: [Vec<u8>; 3],
}

impl Planes {
    /// The picture at full size.
    #[must_use]
    pub fn new(picture: &Picture) -> Self {
        let n = picture.pixels().len();
        let mut rgb = [vec![0u8; n], vec![0u8; n], vec![0u8; n]];
        let [r, g, b] = &mut rgb;
        for (((&p, r), g), b) in picture.pixels().iter().zip(r).zip(g).zip(b) {
            *r = (p >> 16) as u8;
            *g = (p >> 8) as u8;
            *b = p as u8;
        }
        Self {
            width: picture.width() as usize,
            height: picture.height() as usize,
            rgb,
        }
    }

    /// Half the size, each pixel the mean of four: textures, noise and moire fade.
    #[must_use]
    pub fn halved(&self) -> Self {
        let (w, h) = (self.width / 2, self.height / 2);
        let half = |plane: &Vec<u8>| {
            let mut out = vec![0u8; w * h];
            for (y, to) in out.chunks_exact_mut(w.max(1)).enumerate() {
                let a = &plane[2 * y * self.width..][..2 * w];
                let b = &plane[(2 * y + 1) * self.width..][..2 * w];
                for ((t, a), b) in to.iter_mut().zip(a.chunks_exact(2)).zip(b.chunks_exact(2)) {
                    let sum = u16::from(a[0]) + u16::from(a[1]) + u16::from(b[0]) + u16::from(b[1]);
                    *t = ((sum + 2) / 4) as u8;
                }
            }
            out
        };
        Self {
            width: w,
            height: h,
            rgb: [half(&self.rgb[0]), half(&self.rgb[1]), half(&self.rgb[2])],
        }
    }

    /// Whether the point lies inside.
    #[must_use]
    pub fn contains(&self, px: Point) -> bool {
        px.x >= 0.0 && px.y >= 0.0 && px.x < self.width as f64 && px.y < self.height as f64
    }

    /// The colour of the pixel under the point; `None` outside.
    #[must_use]
    #[inline]
    pub fn at(&self, px: Point) -> Option<[u8; 3]> {
        if !self.contains(px) {
            return None;
        }
        let i = px.y as usize * self.width + px.x as usize;
        Some([self.rgb[0][i], self.rgb[1][i], self.rgb[2][i]])
    }

    /// The colour between pixel centres, bilinear; `None` outside.
    #[must_use]
    #[inline]
    pub fn between(&self, px: Point) -> Option<[f32; 3]> {
        if !self.contains(px) {
            return None;
        }
        let x = (px.x - 0.5).clamp(0.0, self.width as f64 - 1.0);
        let y = (px.y - 0.5).clamp(0.0, self.height as f64 - 1.0);
        let (x0, y0) = (x as usize, y as usize);
        let (x1, y1) = ((x0 + 1).min(self.width - 1), (y0 + 1).min(self.height - 1));
        let (fx, fy) = ((x - x0 as f64) as f32, (y - y0 as f64) as f32);
        let (i, j) = (y0 * self.width, y1 * self.width);
        let mut out = [0.0; 3];
        for (v, p) in out.iter_mut().zip(&self.rgb) {
            let top = f32::from(p[i + x0]) * (1.0 - fx) + f32::from(p[i + x1]) * fx;
            let low = f32::from(p[j + x0]) * (1.0 - fx) + f32::from(p[j + x1]) * fx;
            *v = top * (1.0 - fy) + low * fy;
        }
        Some(out)
    }

    /// A view of the planes through a transform: pixel (x, y) of the result shows the point
    /// `from_view` maps its centre to; outside is black.
    #[must_use]
    pub fn warped(&self, from_view: &PxFromCell, width: usize, height: usize) -> Self {
        let mut out = Self {
            width,
            height,
            rgb: [
                vec![0; width * height],
                vec![0; width * height],
                vec![0; width * height],
            ],
        };
        for y in 0..height {
            for x in 0..width {
                let p = from_view.map(Point::new(x as f64 + 0.5, y as f64 + 0.5));
                if let Some(rgb) = self.between(p) {
                    for (plane, v) in out.rgb.iter_mut().zip(rgb) {
                        plane[y * width + x] = (v + 0.5) as u8;
                    }
                }
            }
        }
        out
    }
}
