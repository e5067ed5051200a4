//! Code for processors that count bits in one instruction, chosen while the program runs: the
//! program itself is built for the oldest ones.

/// Runs `f`, compiled for this processor as far as everything in it is inlined.
#[inline(always)]
pub(super) fn counting<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("avx2")
    {
        #[allow(unsafe_code)]
        // SAFETY: the features that the function is compiled for were just found.
        return unsafe { counted(f) };
    }
    f()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2,avx2")]
fn counted<R>(f: impl FnOnce() -> R) -> R {
    f()
}
