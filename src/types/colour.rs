//! How different colours look.

/// Along the direction of both colours a difference counts so much.
const ALONG: f32 = 0.55;

/// Squared [`apart`].
#[must_use]
#[inline]
pub fn apart2(a: [f32; 3], b: [f32; 3]) -> f32 {
    let d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    // Near black there is no direction.
    let m = [a[0] + b[0] + 6.0, a[1] + b[1] + 6.0, a[2] + b[2] + 6.0];
    let dot = |p: [f32; 3], q: [f32; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let along = dot(d, m);
    let along2 = along * along / dot(m, m).max(1.0);
    (dot(d, d) - (1.0 - ALONG * ALONG) * along2).max(0.0)
}

/// How different two colours (0 to 255, red first) are to someone who knows that light and shade
/// change brightness more than hue: a difference in brightness counts about half.
#[must_use]
#[inline]
pub fn apart(a: [f32; 3], b: [f32; 3]) -> f32 {
    apart2(a, b).sqrt()
}

#[cfg(test)]
mod tests {
    use super::apart;

    #[test]
    fn shade_is_nearer_than_hue() {
        let red = [240.0, 20.0, 20.0];
        let shaded = apart(red, [170.0, 14.0, 14.0]);
        let hue = apart(red, [240.0, 90.0, 20.0]);
        assert!(shaded < 42.0 && hue > 60.0, "{shaded} {hue}");
        assert!(apart([0.0; 3], [255.0; 3]) > 200.0);
    }
}
