//! What a program is told while kernels are compiled.

use raddle_driver::host::Running;
use raddle_driver::program::{Role, Unit};
use raddle_driver::progress::Progress;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Watches calls. Its functions are called on the thread of the call, one at a time for each call.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use std::time::Duration;
/// #[derive(Default)]
/// struct Names(Mutex<Vec<String>>);
/// impl raddle::Observer for Names {
///     fn ended(&self, kernel: &str, _time: Duration, failed: bool) {
///         assert!(!failed);
///         self.0.lock().unwrap().push(kernel.to_owned());
///     }
/// }
/// let names = Arc::new(Names::default());
/// let ptx = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n    ret;\n}\n";
/// raddle::compile(ptx, &raddle::Options::default().observer(names.clone()))?;
/// assert_eq!(*names.0.lock().unwrap(), ["k"]);
/// # Ok::<(), raddle::Error>(())
/// ```
pub trait Observer: Send + Sync {
    /// So many kernels and functions are about to be compiled.
    fn planned(&self, _count: usize) {}
    /// A kernel has been compiled, in this time, or was found in the cache; or it has errors. The
    /// order is that in which they end.
    fn ended(&self, _kernel: &str, _time: Duration, _failed: bool) {}
}

/// The observer of options, if there is one.
#[derive(Clone, Default)]
pub(crate) struct Watched(Option<Arc<dyn Observer>>);

impl Watched {
    pub(crate) fn by(observer: Arc<dyn Observer>) -> Watched {
        Watched(Some(observer))
    }
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Some(..)" } else { "None" })
    }
}

impl Progress for Watched {
    fn planned(&mut self, units: usize, _: u64) {
        if let Some(observer) = &self.0 {
            observer.planned(units);
        }
    }

    fn ended(&mut self, unit: &Unit, wall: Duration, failed: bool) {
        if let Some(observer) = self.0.as_ref().filter(|_| unit.role == Role::Kernel) {
            observer.ended(&unit.name, wall, failed);
        }
    }

    fn running(&mut self, _: &[Arc<Running>]) {}
}
