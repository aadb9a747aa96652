//! Our machine code for the snippets: each instruction form compiles, and runs in the simulator as
//! its text runs in the interpreter, on every architecture for which ptxas accepts it, at -O0 and
//! at -O3.

use raddle_tests::exceptions::settle;
use raddle_tests::level::Level;
use raddle_tests::native;

/// Runs only cases whose name contains this text, for debugging.
fn wanted(name: &str) -> bool {
    std::env::var("ONLY").map_or(true, |only| name.contains(&only))
}

#[test]
fn snippets_equal_the_interpreter_without_hazards() {
    settle("native snippets", &native::snippets(&wanted, &[Level::O0, Level::O3]).unwrap()).unwrap();
}
