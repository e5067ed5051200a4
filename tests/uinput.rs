//! The kernel's virtual keyboard and mouse, read back, where the kernel has them.

use std::path::Path;
use std::process::Command;

#[test]
fn what_is_pressed_is_what_the_kernel_reports() {
    let words = ["bench", "uinput", "--json"];
    let done = Command::new(env!("CARGO_BIN_EXE_kibitzer"))
        .args(words)
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&done.stderr);
    if !Path::new("/dev/uinput").exists() {
        assert!(said.contains("modprobe uinput"), "{said}");
        eprintln!("skipped: this kernel has no /dev/uinput");
        return;
    }
    assert!(done.status.success(), "{said}");
    assert_eq!(done.stdout, b"{\"uinput\":\"ok\"}\n");
}
