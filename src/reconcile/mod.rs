//! What the seen means: stillness, explanation, retries, mismatches, being lost.
//!
//! Takes readings and an agent, gives verdicts. Must never act and must never look at a clock.
