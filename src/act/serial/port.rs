//! A serial port: opened for one program alone, or an error that says how to mend it.
//!
//! Takes a path, gives an open line. Must never write a byte by itself.

use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serialport::{ClearBuffer, SerialPort as _, TTYPort};

use super::super::ActError;
use crate::types::LineSpec;

/// How long a write may take until the line counts as dead: a command is over in 7 ms.
const WRITE: Duration = Duration::from_millis(100);

/// Longest piece of garbage that is kept while waiting for an answer.
const MOST_HEARD: usize = 4096;

/// An open line. Closing it opens no relay: that is the owner's to do before.
pub(super) struct Port(TTYPort);

impl Port {
    /// Opens a port at 8N1 without flow control and locks it.
    ///
    /// # Errors
    /// [`ActError::Gone`] with the fix.
    pub(super) fn open(spec: &LineSpec) -> Result<Self, ActError> {
        let (path, baud) = (spec.port.as_str(), spec.baud);
        let builder = serialport::new(path, baud)
            .data_bits(serialport::DataBits::Eight)
            .parity(serialport::Parity::None)
            .stop_bits(serialport::StopBits::One)
            .flow_control(serialport::FlowControl::None)
            .exclusive(true)
            .timeout(WRITE);
        let builder = match spec.dtr {
            Some(level) => builder.dtr_on_open(level),
            None => builder.preserve_dtr_on_open(),
        };
        // A folder or a file would otherwise be opened and fail obscurely.
        if let Ok(meta) = std::fs::metadata(path)
            && !std::os::unix::fs::FileTypeExt::is_char_device(&meta.file_type())
        {
            return Err(ActError::Gone(format!(
                "{path} is not a serial port; {}",
                there_are(&names())
            )));
        }
        TTYPort::open(&builder)
            .map(Self)
            .map_err(|e| ActError::Gone(refusal(path, baud, &e)))
    }

    /// A second handle of the same line, for whoever must let go while the first is in use.
    pub(super) fn twin(&self) -> Result<Self, ActError> {
        self.0
            .try_clone_native()
            .map(Self)
            .map_err(|e| ActError::Gone(format!("cannot use the serial port twice: {e}")))
    }

    /// Hands all the bytes to the system.
    pub(super) fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.0.write_all(bytes)
    }

    /// Fails if the device is no longer there.
    pub(super) fn check(&self) -> std::io::Result<()> {
        self.0.bytes_to_read().map(|_| ()).map_err(Into::into)
    }

    /// Forgets what has come in so far.
    pub(super) fn forget_input(&self) -> std::io::Result<()> {
        self.0.clear(ClearBuffer::Input).map_err(Into::into)
    }

    /// Appends what has come in so far, without waiting.
    pub(super) fn read_now(&mut self, heard: &mut Vec<u8>) -> std::io::Result<()> {
        let mut piece = [0u8; 256];
        while heard.len() < MOST_HEARD && self.0.bytes_to_read()? > 0 {
            match self.0.read(&mut piece)? {
                0 => return Err(ErrorKind::BrokenPipe.into()),
                n => heard.extend_from_slice(&piece[..n]),
            }
        }
        Ok(())
    }

    /// Reads until `enough` finds what it looks for in all that came in, or the time is over;
    /// gives both.
    pub(super) fn read_until<T>(
        &mut self,
        patience: Duration,
        enough: impl Fn(&[u8]) -> Option<T>,
    ) -> std::io::Result<(Option<T>, Vec<u8>)> {
        let until = Instant::now() + patience;
        let mut heard = Vec::new();
        let mut piece = [0u8; 256];
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || heard.len() > MOST_HEARD {
                return Ok((None, heard));
            }
            self.0.set_timeout(left)?;
            let read = self.0.read(&mut piece);
            self.0.set_timeout(WRITE)?;
            match read {
                // The end of a terminal: it was hung up.
                Ok(0) => return Err(ErrorKind::BrokenPipe.into()),
                Ok(n) => heard.extend_from_slice(&piece[..n]),
                Err(e) if matches!(e.kind(), ErrorKind::TimedOut | ErrorKind::Interrupted) => {}
                Err(e) => return Err(e),
            }
            if let Some(found) = enough(&heard) {
                return Ok((Some(found), heard));
            }
        }
    }
}

/// Why a port could not be opened and how to mend it.
fn refusal(path: &str, baud: u32, error: &serialport::Error) -> String {
    use serialport::ErrorKind as Kind;
    match error.kind() {
        Kind::Io(ErrorKind::PermissionDenied) => denied(Path::new(path)),
        Kind::Io(ErrorKind::NotFound) => format!(
            "there is no serial port {path}: is the board plugged in? {}",
            there_are(&names())
        ),
        Kind::NoDevice => format!(
            "the serial port {path} is in use by another program: close that (`fuser -v {path}` \
             names it; ModemManager opens every new port, see hardware/README.md)"
        ),
        _ if error.description.contains("Not a typewriter")
            || error.description.contains("Inappropriate ioctl") =>
        {
            format!("{path} is not a serial port; {}", there_are(&names()))
        }
        _ => format!("cannot open the serial port {path} at {baud} bits per second: {error}"),
    }
}

/// The message for a port that this user may not open.
pub(super) fn denied(path: &Path) -> String {
    denied_to(path, owner(path))
}

/// `owner` is the group of the device.
fn denied_to(path: &Path, owner: Option<String>) -> String {
    let group = owner.unwrap_or_else(|| "dialout".into());
    format!(
        "cannot open the serial port {}: permission denied. It belongs to the group {group}: \
         run `sudo usermod -aG {group} $USER` and log in again, or install the udev rule in \
         hardware/README.md and plug the board in again",
        path.display()
    )
}

/// The name of the group that a file belongs to.
pub(super) fn owner(path: &Path) -> Option<String> {
    let gid = std::fs::metadata(path).ok()?.gid();
    let groups = std::fs::read_to_string("/etc/group").ok()?;
    group_name(&groups, gid)
}

fn group_name(groups: &str, gid: u32) -> Option<String> {
    groups.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(gid)).then(|| name.to_owned())
    })
}

/// The names of the serial ports of this machine, stable ones where there are any.
fn names() -> Vec<PathBuf> {
    let all = super::ports::list();
    all.iter().map(|port| port.name().to_owned()).collect()
}

fn there_are(ports: &[PathBuf]) -> String {
    if ports.is_empty() {
        return "no serial adapter is there (none in /dev/serial/by-id, no /dev/ttyUSB or ttyACM)"
            .into();
    }
    let names: Vec<String> = ports.iter().map(|p| p.display().to_string()).collect();
    format!("serial ports here: {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_how_to_mend_them() {
        let text = denied_to(Path::new("/dev/ttyUSB0"), Some("uucp".into()));
        assert!(
            text.contains("usermod -aG uucp") && text.contains("udev"),
            "{text}"
        );
        let io = |kind| serialport::Error::new(serialport::ErrorKind::Io(kind), "x");
        let text = refusal("/no/such", 9600, &io(ErrorKind::PermissionDenied));
        assert!(text.contains("group dialout"), "{text}");
        let text = refusal("/no/such", 9600, &io(ErrorKind::NotFound));
        assert!(
            text.contains("/no/such") && text.contains("serial"),
            "{text}"
        );
        let busy = serialport::Error::new(serialport::ErrorKind::NoDevice, "x");
        let text = refusal("/dev/ttyS0", 9600, &busy);
        assert!(text.contains("another program"), "{text}");
        let text = there_are(&["/dev/ttyUSB1".into(), "/dev/ttyUSB2".into()]);
        assert_eq!(text, "serial ports here: /dev/ttyUSB1, /dev/ttyUSB2");
        let groups = "root:x:0:\ndialout:x:20:me,you\nbroken\n:::\n";
        assert_eq!(group_name(groups, 20).as_deref(), Some("dialout"));
        assert_eq!(group_name(groups, 99), None);
    }

    #[test]
    fn what_is_no_port_is_refused() {
        let text = |path: &str| match Port::open(&LineSpec::new(path)) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{path} is a port"),
        };
        assert!(text("/tmp").contains("not a serial port"));
        assert!(text("/dev/null").contains("not a serial port"));
        assert!(text("/dev/serial/by-id/none").contains("no serial port"));
    }
}
