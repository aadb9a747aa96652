//! Observes the passes of a unit: names each as it begins, makes the requested dump, and injects
//! faults.

use super::context::Context;
use crate::fault::Fault;
use crate::request::Dump;
use raddle_ir::Observer;
use raddle_jobs::Steps;
use std::cell::RefCell;

/// Collects the dump.
pub struct Watch<'a> {
    dump: &'a Dump,
    fault: Option<&'a Fault>,
    kernel: &'a str,
    steps: Steps,
    text: RefCell<String>,
    passes: RefCell<Vec<&'static str>>,
}

impl<'a> Watch<'a> {
    /// Creates an observer with an empty dump.
    pub fn new(cx: &Context<'a>, kernel: &'a str, steps: Steps) -> Watch<'a> {
        let (dump, fault) = (cx.settings.dump, cx.settings.fault);
        Watch { dump, fault, kernel, steps, text: RefCell::default(), passes: RefCell::default() }
    }

    /// Returns the dump, and the passes that produced it.
    pub fn seen(self) -> (String, Vec<&'static str>) {
        (self.text.into_inner(), self.passes.into_inner())
    }

    /// Dumps the optimised form, if it is wanted.
    pub fn ir(&self, function: &raddle_ir::Function) {
        if *self.dump == Dump::Ir {
            *self.text.borrow_mut() = raddle_ir::text::print(function);
        }
    }
}

impl Observer for Watch<'_> {
    fn before(&self, pass: &'static str) {
        self.steps.begin(pass);
        if let Some(fault) = self.fault {
            fault.strike_in(pass, self.kernel);
        }
    }

    fn after(&self, pass: &'static str, text: &dyn Fn() -> String) {
        let mut out = self.text.borrow_mut();
        let mut passes = self.passes.borrow_mut();
        if matches!(self.dump, Dump::After(_)) && !passes.contains(&pass) {
            passes.push(pass);
        }
        match self.dump {
            // Code generation shows the machine form last; it replaces the SSA shown by earlier
            // passes.
            Dump::Mir => *out = text(),
            Dump::After(wanted) if wanted == pass => {
                out.push_str(&format!("// after {pass}\n"));
                out.push_str(&text());
            }
            _ => {}
        }
    }
}
