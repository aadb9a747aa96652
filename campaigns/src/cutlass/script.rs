//! What the host part of a program did: buffers, launches, and the product that each case asks for.

use std::str::FromStr;

use anyhow::{Context, Result, anyhow, bail, ensure};
use raddle_sim::launch::Dim3;

use super::product::{Product, View};

/// A buffer of the device.
#[derive(Clone, Copy, Debug)]
pub struct Buffer {
    /// Where the stand-in of the runtime says that it is, in each of two runs.
    pub at: [u64; 2],
    pub bytes: usize,
}

/// Bytes as each of the two runs has them: they differ where addresses are.
pub type Twice = [Vec<u8>; 2];

/// Something that changes memory.
#[derive(Clone, Debug)]
pub enum Step {
    /// Bytes from an address on get a value.
    Fill {
        at: u64,
        bytes: usize,
        value: u8,
    },
    /// Bytes from an address on come from the host.
    Copy {
        at: u64,
        bytes: Twice,
    },
    Launch(Launch),
}

/// A launch.
#[derive(Clone, Debug)]
pub struct Launch {
    pub kernel: String,
    pub grid: Dim3,
    pub block: Dim3,
    pub cluster: Dim3,
    pub shared: u32,
    /// The bytes of each parameter.
    pub parameters: Vec<Twice>,
}

/// One case of a program.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub buffers: Vec<Buffer>,
    pub steps: Vec<Step>,
    pub product: Product,
    /// Whether its order of memory is that which PTX demands, so that races are findings.
    pub ordered: bool,
}

impl Case {
    /// The buffer that an address of a run is in, by number, and the distance from its beginning, which may be before it.
    pub fn place(&self, address: u64, run: usize) -> Option<(usize, i64)> {
        // Buffers are 4 GiB apart, and smaller than this.
        const NEAR: i64 = 1 << 24;
        let distance = |b: &Buffer| address.wrapping_sub(b.at[run]) as i64;
        let n = self.buffers.iter().position(|b| (-NEAR..NEAR).contains(&distance(b)))?;
        Some((n, distance(&self.buffers[n])))
    }

    /// Takes the addresses of the second run, which must have done the same.
    fn merge(&mut self, other: Case) -> Result<()> {
        ensure!(self.name == other.name && self.buffers.len() == other.buffers.len(), "two runs that differ");
        for (mine, theirs) in self.buffers.iter_mut().zip(&other.buffers) {
            mine.at[1] = theirs.at[0];
        }
        for (mine, theirs) in self.steps.iter_mut().zip(other.steps) {
            match (mine, theirs) {
                (Step::Copy { bytes: mine, .. }, Step::Copy { bytes: [theirs, _], .. }) => mine[1] = theirs,
                (Step::Launch(mine), Step::Launch(theirs)) => {
                    for (mine, [theirs, _]) in mine.parameters.iter_mut().zip(theirs.parameters) {
                        mine[1] = theirs;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The kernels that it launches.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(|step| match step {
            Step::Launch(launch) => Some(launch.kernel.as_str()),
            _ => None,
        })
    }
}

/// The words of a line, one after another.
struct Words<'a>(std::str::SplitWhitespace<'a>);

impl<'a> Words<'a> {
    fn word(&mut self) -> Result<&'a str> {
        self.0.next().context("a word is missing")
    }

    fn number<T: FromStr>(&mut self) -> Result<T> {
        let word = self.word()?;
        word.parse().map_err(|_| anyhow!("`{word}` is no number here"))
    }

    fn dimensions(&mut self) -> Result<Dim3> {
        Ok(Dim3::new(self.number()?, self.number()?, self.number()?))
    }

    fn view(&mut self) -> Result<View> {
        let ty = self.word()?.parse()?;
        Ok(View { ty, at: self.number()?, row: self.number()?, column: self.number()?, batch: self.number()? })
    }
}

fn hex(word: &str) -> Result<Vec<u8>> {
    let digits = |n: usize| word.get(n..n + 2).context("half a byte");
    (0..word.len()).step_by(2).map(|n| Ok(u8::from_str_radix(digits(n)?, 16)?)).collect()
}

/// Reads the output of both runs of a program.
///
/// # Errors
/// Lines that `runtime.cpp` and `problem.h` do not write, and runs that differ in more than addresses.
pub fn read(scripts: &[String; 2]) -> Result<Vec<Case>> {
    let (mut cases, others) = (read_one(&scripts[0])?, read_one(&scripts[1])?);
    ensure!(cases.len() == others.len(), "two runs that differ");
    cases.iter_mut().zip(others).try_for_each(|(case, other)| case.merge(other))?;
    Ok(cases)
}

fn read_one(text: &str) -> Result<Vec<Case>> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        let mut words = Words(line.split_whitespace());
        let what = words.word()?;
        if what == "case" {
            let (name, product) = (words.word()?.to_owned(), Product::default());
            cases.push(Case { name, buffers: Vec::new(), steps: Vec::new(), product, ordered: true });
            continue;
        }
        let case = cases.last_mut().context("a line before the first case")?;
        one(case, what, &mut words).with_context(|| line.chars().take(80).collect::<String>())?;
    }
    Ok(cases)
}

fn one(case: &mut Case, what: &str, words: &mut Words<'_>) -> Result<()> {
    let p = &mut case.product;
    match what {
        "buffer" => case.buffers.push(Buffer { at: [words.number()?, 0], bytes: words.number()? }),
        "fill" => {
            let (at, bytes, value) = (words.number()?, words.number()?, words.number()?);
            case.steps.push(Step::Fill { at, bytes, value });
        }
        "copy" => case.steps.push(Step::Copy { at: words.number()?, bytes: [hex(words.word()?)?, Vec::new()] }),
        "unordered" => case.ordered = false,
        "product" => {
            (p.m, p.n, p.k, p.batch) = (words.number()?, words.number()?, words.number()?, words.number()?);
            (p.alpha, p.beta) = (words.number()?, words.number()?);
            p.how = words.word()?.parse()?;
        }
        "a" => p.a = words.view()?,
        "b" => p.b = words.view()?,
        "c" => p.c = words.view()?,
        "d" => p.d = words.view()?,
        "bias" => p.bias = words.view()?,
        "launch" => {
            let kernel = words.word()?.to_owned();
            let (grid, block, cluster) = (words.dimensions()?, words.dimensions()?, words.dimensions()?);
            let shared = words.number()?;
            let parameter = |word: &str| Ok([hex(word)?, Vec::new()]);
            let parameters = std::iter::from_fn(|| words.0.next()).map(parameter).collect::<Result<_>>()?;
            case.steps.push(Step::Launch(Launch { kernel, grid, block, cluster, shared, parameters }));
        }
        _ => bail!("an unknown word"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_read() {
        let text = "case one\nbuffer 8589934592 64\nbuffer 12884901888 4\nproduct 2 2 4 1 1.5 0 relu\n\
                    a f16 8589934592 4 1 8\nfill 8589934592 8 255\nlaunch k 1 2 3 32 1 1 1 1 1 99 0a0b 01\n";
        let again = text.replace("8589934592", "8589934593").replace("0a0b", "0a0c");
        let case = read(&[text.to_owned(), again]).unwrap().remove(0);
        assert_eq!((case.product.k, case.product.alpha, case.product.a.row), (4, 1.5, 4));
        assert_eq!(case.place(12_884_901_892, 0), Some((1, 4)));
        assert_eq!(case.place(8_589_934_580, 0), Some((0, -12)));
        assert_eq!(case.place(8_589_934_593, 1), Some((0, 0)));
        assert_eq!(case.place(5, 0), None);
        assert_eq!(case.kernels().collect::<Vec<_>>(), ["k"]);
        let Some(Step::Launch(launch)) = case.steps.last() else { panic!("no launch") };
        assert_eq!((launch.grid.z, launch.shared, launch.parameters.len()), (3, 99, 2));
        assert_eq!(launch.parameters[0], [vec![10, 11], vec![10, 12]]);
        assert!(read(&["buffer 1 2\n".to_owned(), String::new()]).is_err());
    }
}
