//! Our machine code for the snippets: each instruction form compiles, and runs in the simulator as
//! its text runs in the interpreter, on every architecture for which ptxas accepts it, at -O3, and on
//! one of them, which takes turns, at -O0 (`cargo campaign native-snippets`: all levels).

use raddle_tests::exceptions::settle;
use raddle_tests::level::Level;
use raddle_tests::native;

/// Runs only cases whose name contains this text, for debugging.
fn wanted(name: &str) -> bool {
    std::env::var("ONLY").map_or(true, |only| name.contains(&only))
}

#[test]
fn snippets_equal_the_interpreter_without_hazards() {
    let levels = |its_turn| if its_turn { vec![Level::O0, Level::O3] } else { vec![Level::O3] };
    settle("native snippets", &native::snippets(&wanted, &levels).unwrap()).unwrap();
}
