//! Panics of tasks, recorded with their place instead of printed.
//!
//! The pool catches a task's panic. The payload has no source location, so a process-wide hook
//! records it. The hook acts only on threads that are running a task, and leaves every other panic
//! to the hook installed before it.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// The message and the location of a panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// The panic's message.
    pub message: String,
    /// `file:line:column` of the panicking statement, if known.
    pub place: Option<String>,
}

thread_local! {
    static IN_TASK: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `body`; a panic becomes a value and nothing is printed.
pub fn catch<T>(body: impl FnOnce() -> T) -> Result<T, Panic> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if IN_TASK.get() {
                let place = info.location().map(|place| place.to_string());
                PLACE.with_borrow_mut(|slot| *slot = place);
            } else {
                previous(info);
            }
        }));
    });
    let outer = IN_TASK.replace(true);
    // Unwinding drops the body's captures or they were moved into it: no half-changed value is
    // visible afterwards.
    let result = catch_unwind(AssertUnwindSafe(body));
    IN_TASK.set(outer);
    result.map_err(|payload| Panic { message: message(payload), place: PLACE.take() })
}

fn message(payload: Box<dyn Any + Send>) -> String {
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => match payload.downcast::<&'static str>() {
            Ok(text) => (*text).to_string(),
            Err(_) => "a panic without a message".to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_and_place_are_kept() {
        let panic = catch(|| -> () { panic!("unit {}", 7) }).unwrap_err();
        assert_eq!(panic.message, "unit 7");
        assert!(panic.place.unwrap().contains("panics.rs"));
        assert_eq!(catch(|| 5), Ok(5));
        assert_eq!(catch(|| -> () { std::panic::panic_any(3) }).unwrap_err().message, "a panic without a message");
    }
}
