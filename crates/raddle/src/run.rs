//! Runs a kernel without a GPU.

use raddle_sim::failure::{Failure, Location};
use raddle_sim::launch::{self, Dim3, OnFinding};
use raddle_sim::machine;
use raddle_sim::mem::Memory;
use std::fmt;

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Arg {
    /// The little-endian bytes of a number or a structure, as many as the parameter has.
    Value(Vec<u8>),
    /// A buffer in global memory, of which the kernel gets the address. A run replaces its bytes.
    Buffer(Vec<u8>),
    /// A null pointer.
    Null,
}

macro_rules! of_numbers {
    ($($number:ty)*) => {$(
        impl From<$number> for Arg {
            fn from(value: $number) -> Arg {
                Arg::Value(value.to_le_bytes().to_vec())
            }
        }
    )*};
}

of_numbers!(u8 i8 u16 i16 u32 i32 u64 i64 f32 f64);

/// What a data race does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Races {
    /// It ends the run with an error.
    #[default]
    Error,
    /// The run goes on; [`run_with_races`] returns what was found, at most a hundred times.
    Warn,
}

/// How a kernel is started.
#[derive(Clone, Debug)]
pub struct Launch {
    kernel: String,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    seed: u64,
    races: Races,
    args: Vec<Arg>,
}

impl Launch {
    /// One thread of a kernel, without arguments.
    pub fn new(kernel: impl Into<String>) -> Launch {
        let (kernel, races) = (kernel.into(), Races::Error);
        Launch { kernel, grid: [1; 3], block: [1; 3], shared: 0, seed: 0, races, args: Vec::new() }
    }

    /// The blocks of the grid.
    #[must_use]
    pub fn grid(mut self, grid: [u32; 3]) -> Launch {
        self.grid = grid;
        self
    }

    /// The threads of a block.
    #[must_use]
    pub fn block(mut self, block: [u32; 3]) -> Launch {
        self.block = block;
        self
    }

    /// Dynamic shared memory, in bytes.
    #[must_use]
    pub fn shared_bytes(mut self, bytes: u32) -> Launch {
        self.shared = bytes;
        self
    }

    /// The seed of the order of warps.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Launch {
        self.seed = seed;
        self
    }

    /// What data races do.
    #[must_use]
    pub fn races(mut self, races: Races) -> Launch {
        self.races = races;
        self
    }

    /// Adds the next argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<Arg>) -> Launch {
        self.args.push(arg.into());
        self
    }
}

/// Why a run has failed: a stray access, a race, a deadlock, a missing wait, an undefined result, or a
/// launch that does not fit the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    message: String,
    place: Option<String>,
    thread: Option<String>,
}

impl RunError {
    fn of(failure: &Failure) -> RunError {
        RunError {
            message: format!("{}: {}", failure.kernel, failure.kind),
            place: (*failure.place != Location::None).then(|| failure.place.to_string()),
            thread: failure.who.map(|who| who.to_string()),
        }
    }

    /// What has happened.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The instruction, with the line of its source if the cubin has line tables.
    pub fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }

    /// The block and the thread.
    pub fn thread(&self) -> Option<&str> {
        self.thread.as_deref()
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.place.iter().try_for_each(|place| write!(f, " at {place}"))?;
        self.thread.iter().try_for_each(|thread| write!(f, ", {thread}"))
    }
}

impl std::error::Error for RunError {}

/// Runs a kernel of a cubin of any compiler in the simulator, and returns the buffers among the
/// arguments, in their order.
///
/// ```
/// use raddle::{Arg, Launch, Options};
/// let ptx = "
/// .version 8.0
/// .target sm_80
/// .address_size 64
/// .visible .entry square(.param .u64 data)
/// {
///     .reg .b64 %rd<4>;
///     .reg .b32 %r<3>;
///     ld.param.u64 %rd1, [data];
///     mov.u32 %r1, %tid.x;
///     mul.wide.u32 %rd2, %r1, 4;
///     add.s64 %rd3, %rd1, %rd2;
///     ld.global.u32 %r2, [%rd3];
///     mul.lo.u32 %r2, %r2, %r2;
///     st.global.u32 [%rd3], %r2;
///     ret;
/// }";
/// let cubin = raddle::compile(ptx, &Options::default())?;
/// let data: Vec<u8> = (0..32u32).flat_map(u32::to_le_bytes).collect();
/// let launch = Launch::new("square").block([32, 1, 1]).arg(Arg::Buffer(data));
/// let results = raddle::run(cubin.bytes(), &launch)?;
/// assert_eq!(results[0][4 * 7..][..4], 49u32.to_le_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// See [`RunError`].
pub fn run(cubin: &[u8], launch: &Launch) -> Result<Vec<Vec<u8>>, RunError> {
    run_with_races(cubin, launch).map(|(buffers, _)| buffers)
}

/// [`run()`], which also returns the data races that did not end it ([`Races::Warn`]), as texts.
///
/// # Errors
/// See [`RunError`].
pub fn run_with_races(cubin: &[u8], launch: &Launch) -> Result<(Vec<Vec<u8>>, Vec<String>), RunError> {
    let mut memory = Memory::new();
    let mut buffers = Vec::new();
    let mut how = launch::Launch::new(&*launch.kernel);
    let dim = |[x, y, z]: [u32; 3]| Dim3 { x, y, z };
    (how.grid, how.block, how.dyn_shared, how.seed) = (dim(launch.grid), dim(launch.block), launch.shared, launch.seed);
    how.races = match launch.races {
        Races::Error => OnFinding::Error,
        Races::Warn => OnFinding::Warn,
    };
    for (index, arg) in launch.args.iter().enumerate() {
        how.args.push(match arg {
            Arg::Value(bytes) => launch::Arg::Value(bytes.clone()),
            Arg::Null => launch::Arg::Null,
            Arg::Buffer(bytes) => {
                let buffer = memory.add(format!("argument {index}"), bytes.clone(), true);
                buffers.push(buffer);
                launch::Arg::Buffer(buffer)
            }
        });
    }
    let outcome = machine::run(cubin, &how, &mut memory).map_err(|failure| RunError::of(&failure))?;
    let read = |buffer| match memory.read_back(buffer) {
        Ok(bytes) => Ok(bytes.to_vec()),
        Err(kind) => Err(RunError::of(&Failure::of_launch(&launch.kernel, kind))),
    };
    Ok((buffers.into_iter().map(read).collect::<Result<_, _>>()?, outcome.warnings))
}

/// The sizes of the parameters of a kernel in bytes, first parameter first; `None` if the cubin cannot
/// be read or has no such kernel.
///
/// ```
/// use raddle::Options;
/// let ptx = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\nret;\n}\n";
/// let cubin = raddle::compile(ptx, &Options::default())?;
/// assert_eq!(raddle::parameter_sizes(cubin.bytes(), "k"), Some(vec![8, 4]));
/// assert_eq!(raddle::parameter_sizes(cubin.bytes(), "l"), None);
/// # Ok::<(), raddle::Error>(())
/// ```
pub fn parameter_sizes(cubin: &[u8], kernel: &str) -> Option<Vec<usize>> {
    let cubin = raddle_cubin::Cubin::parse(cubin).ok()?;
    let kernel = cubin.kernel(kernel)?;
    Some(kernel.params.iter().map(|param| param.size as usize).collect())
}
