//! LLVM is initialised once, although many threads load it at the same time.

use std::sync::Barrier;

use raddle_frontend::llvm::Llvm;
use raddle_frontend::settings::Settings;
use raddle_frontend::steps::simplify;

const THREADS: usize = 16;

#[test]
fn threads_that_load_the_library_at_once_share_one() {
    let Some(path) = raddle_filetest::llvm::require(19) else { return };
    let ready = Barrier::new(THREADS);
    let load = || {
        ready.wait();
        let llvm = Llvm::load(&path, &[]).unwrap();
        let settings = Settings {
            arch: "sm_90".into(),
            sm: 90,
            level: 0,
            ftz: Some(false),
            prec_div: true,
            prec_sqrt: true,
            fmad: true,
            debug: false,
            locate: false,
            relocatable: false,
            keep: Vec::new(),
            owned: Vec::new(),
        };
        let text = "target triple = \"nvptx64-nvidia-cuda\"\ndefine void @f() { ret void }";
        // Looks for the target in LLVM's list, to the list's end.
        simplify(llvm, &settings, ("f", text.as_bytes()), None).unwrap();
        llvm
    };
    let loaded: Vec<&'static Llvm> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(load)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(loaded.iter().all(|llvm| std::ptr::eq(*llvm, loaded[0])));
}
