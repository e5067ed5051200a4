//! A person at the stage's mouse and keyboard.

use std::time::Duration;

use anyhow::{anyhow, bail};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::ConnectionExt as _;
use x11rb::protocol::xtest::ConnectionExt as _;

use super::desktop::Desktop;
use crate::act::keys::{Chord, Layout};

impl Desktop {
    /// A person's click at a point of the screen.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn click(&self, x: i32, y: i32) -> anyhow::Result<()> {
        // Core protocol event codes: 6 is motion, 4 and 5 are a button going down and up.
        self.fake(6, 0, x as i16, y as i16)?;
        self.fake(4, 1, 0, 0)?;
        std::thread::sleep(Duration::from_millis(15));
        self.fake(5, 1, 0, 0)
    }

    /// A person moves the pointer.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn point(&self, x: i32, y: i32) -> anyhow::Result<()> {
        self.fake(6, 0, x as i16, y as i16)
    }

    /// A person's key, by the character on it.
    ///
    /// # Errors
    /// When the keyboard has no such key.
    pub fn key(&self, character: char) -> anyhow::Result<()> {
        // Latin-1 keysyms are the characters' own numbers.
        self.press(u32::from(character), Duration::ZERO)
    }

    /// A person's key by its keysym, held for so long.
    ///
    /// # Errors
    /// When the keyboard has no such key.
    pub fn press(&self, keysym: u32, hold: Duration) -> anyhow::Result<()> {
        let (code, _) = self
            .layout()?
            .find(keysym)
            .ok_or_else(|| anyhow!("the keyboard has no key {keysym:#x}"))?;
        self.fake(2, code, 0, 0)?;
        std::thread::sleep(hold);
        self.fake(3, code, 0, 0)
    }

    /// A person's key with others held: `ctrl+n`.
    ///
    /// # Errors
    /// When the keyboard has no such key.
    pub fn chord(&self, text: &str) -> anyhow::Result<()> {
        let chord = Chord::parse(text)?;
        let layout = self.layout()?;
        let mut codes = Vec::new();
        for keysym in chord.modifiers.iter().map(|m| m[0]).chain([chord.key]) {
            let Some((code, _)) = layout.find(keysym) else {
                bail!("the keyboard has no key {keysym:#x}");
            };
            codes.push(code);
        }
        for &code in &codes {
            self.fake(2, code, 0, 0)?;
        }
        for &code in codes.iter().rev() {
            self.fake(3, code, 0, 0)?;
        }
        Ok(())
    }

    fn layout(&self) -> anyhow::Result<Layout> {
        let (low, high) = (self.x.setup().min_keycode, self.x.setup().max_keycode);
        let map = self.x.get_keyboard_mapping(low, high - low + 1)?.reply()?;
        Ok(Layout::new(low, map.keysyms_per_keycode, map.keysyms))
    }

    fn fake(&self, kind: u8, detail: u8, x: i16, y: i16) -> anyhow::Result<()> {
        self.x
            .xtest_fake_input(kind, detail, 0, self.root, x, y, 0)?
            .check()?;
        Ok(())
    }
}
