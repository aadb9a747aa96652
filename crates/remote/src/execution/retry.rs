//! How often, and for how long, requests of a unit are repeated.

use super::trouble::Trouble;
use std::future::Future;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// The longest pause before a repetition, unless the server asks for a longer one.
const LONGEST: Duration = Duration::from_secs(5);

/// Bounds of all repetitions of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The number of repetitions.
    pub retries: u32,
    /// The first pause; each next one is twice as long.
    pub pause: Duration,
    /// The time that all pauses may take together.
    pub patience: Duration,
}

/// What a unit has left of its repetitions.
#[derive(Debug)]
pub(super) struct Retries {
    bounds: Bounds,
    left: u32,
    waited: Duration,
    next: Duration,
    /// The state of pseudorandom numbers.
    state: u64,
}

impl Retries {
    /// `seed` makes the pauses of units differ: after a failure of the server they do not all come back
    /// at once.
    pub fn new(bounds: Bounds, seed: u64) -> Retries {
        Retries { bounds, left: bounds.retries, waited: Duration::ZERO, next: bounds.pause, state: seed | 1 }
    }

    /// Makes all repetitions available again, after the server has worked for a while.
    pub fn renew(&mut self) {
        *self = Retries::new(self.bounds, self.state);
    }

    /// The pause after a failure; `None` where no repetition helps or none is left.
    fn pause(&mut self, trouble: &Trouble) -> Option<Duration> {
        let asked = match trouble {
            Trouble::Passing { after, .. } => after.unwrap_or_default(),
            Trouble::Wrong => Duration::ZERO,
            _ => return None,
        };
        self.left = self.left.checked_sub(1)?;
        // Between a half of the pause and the whole.
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let part = (self.state >> 33) as u32 % 1024;
        let pause = (self.next / 2 + self.next * part / 2048).max(asked);
        self.next = (self.next * 2).min(LONGEST);
        self.waited += pause;
        (self.waited <= self.bounds.patience).then_some(pause)
    }

    /// Waits before a repetition.
    ///
    /// # Errors
    /// `trouble`, where no repetition helps or none is left.
    pub async fn wait(&mut self, trouble: Trouble) -> Result<(), Trouble> {
        let Some(pause) = self.pause(&trouble) else { return Err(trouble) };
        sleep(pause).await;
        Ok(())
    }

    /// Asks until there is an answer, or no repetition helps or is left.
    pub async fn ask<T, F: Future<Output = Result<T, Trouble>>>(
        &mut self,
        mut request: impl FnMut() -> F,
    ) -> Result<T, Trouble> {
        loop {
            match request().await {
                Err(trouble) => self.wait(trouble).await?,
                done => return done,
            }
        }
    }
}

/// How long a stream has lived.
#[derive(Debug)]
pub(super) struct Life(Instant);

impl Life {
    pub fn begin() -> Life {
        Life(Instant::now())
    }

    /// Whether the server has worked for a while.
    pub fn was_long(&self) -> bool {
        self.0.elapsed() > 2 * LONGEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { retries: 8, pause: Duration::from_millis(100), patience: Duration::from_secs(30) };

    #[test]
    fn pauses_grow_and_end() {
        let mut retries = Retries::new(BOUNDS, 7);
        let pauses: Vec<Duration> = std::iter::from_fn(|| retries.pause(&Trouble::passing("x"))).collect();
        assert_eq!(pauses.len(), 8);
        for (at, pause) in pauses.iter().enumerate() {
            let most = (Duration::from_millis(100) * 2u32.pow(at as u32)).min(LONGEST);
            assert!(*pause >= most / 2 && *pause <= most, "{at}: {pause:?}");
        }
        let other = Retries::new(BOUNDS, 12345).pause(&Trouble::passing("x"));
        assert_ne!(other, Some(pauses[0]));
    }

    #[test]
    fn only_what_may_pass_is_repeated_and_not_for_ever() {
        let mut retries = Retries::new(BOUNDS, 7);
        for trouble in
            [Trouble::Failed(String::new()), Trouble::Refused(String::new()), Trouble::NotFound(String::new())]
        {
            assert_eq!(retries.pause(&trouble), None);
        }
        let long = |seconds| Trouble::Passing { text: String::new(), after: Some(Duration::from_secs(seconds)) };
        assert_eq!(retries.pause(&long(29)), Some(Duration::from_secs(29)));
        assert_eq!(retries.pause(&long(29)), None);
        retries.renew();
        assert_eq!(retries.pause(&long(29)), Some(Duration::from_secs(29)));
    }
}
