use super::*;
use crate::suites::compare::{Side, Tools, Verdict, compare};

/// A replacement for the project's file, with cases of our own.
const OWN: &str = include_str!("ocelot_shim/own_cases.cpp");
const CASES: usize = 8;

const WRITTEN: &str = "case a\nptx 4\nx\ny\n\nlaunch 2 3\nepsilons 2\noutputs i8 f32\nrun 0aff 0100000000008040\ncase a\nptx 1\nz\n\
                       launch 1 1\nepsilons 0\noutputs i16\nend 2\n";

#[test]
fn cases_are_read() {
    let programs = read(WRITTEN.as_bytes()).unwrap();
    let names: Vec<&str> = programs.iter().map(|p| p.name.as_str()).collect();
    assert_eq!((names, programs[0].text.as_str(), programs[1].text.as_str()), (vec!["a", "a/2"], "x\ny\n", "z"));
    let Runs::Specified(runs) = &programs[0].runs else { panic!("{:?}", programs[0].runs) };
    let expected = runs[0].expected.as_ref().unwrap();
    assert_eq!((runs.len(), runs[0].grid, runs[0].block), (1, Dim3::from(2), Dim3::from(3)));
    assert_eq!(expected.bytes, [1, 0, 0, 0, 0, 0, 0x80, 0x40]);
    assert_eq!(expected.close, [Close { at: 4, double: false, epsilons: 4.0 }]);
}

#[test]
fn only_approximations_are_off_by_an_epsilon() {
    let of = |ptx: &str| {
        let text = format!(
            "case a\nptx {}\n{ptx}\nlaunch 1 1\nepsilons 0\noutputs f64\nrun 00 {}\nend 1\n",
            ptx.len(),
            "00".repeat(8)
        );
        let programs = read(text.as_bytes()).unwrap();
        let Runs::Specified(runs) = &programs[0].runs else { panic!("{:?}", programs[0].runs) };
        runs[0].expected.as_ref().unwrap().close[0].epsilons
    };
    assert_eq!([of("cos.approx.f32"), of("div.full.f32"), of("add.rn.f64")], [1.0, 1.0, 0.0]);
}

#[test]
fn half_of_what_was_written_is_an_error() {
    for (from, to) in [("end 2", "end 3"), ("\nend 2", ""), ("ptx 4", "ptx 400"), ("ptx 4", "ptx 3"), ("0aff", "0af")] {
        assert!(read(WRITTEN.replace(from, to).as_bytes()).is_err(), "{to}");
    }
    for (from, to) in [("i8 f32", "i8"), ("i16", "i128"), ("launch 2 3", "launch 2"), ("case a\nptx 4", "ptx 4")] {
        assert!(read(WRITTEN.replace(from, to).as_bytes()).is_err(), "{to}");
    }
}

#[test]
fn cases_are_compiled_and_hold() {
    if oracle::require("g++").is_none() {
        return;
    }
    let files = |text: &str| {
        let header = "#include <hydrazine/interface/nothing.h>\n".to_owned();
        Files(FILES.into_iter().map(str::to_owned).zip([text.into(), header.into()]).collect())
    };
    let programs = read(&made(&files(OWN), 20).unwrap()).unwrap();
    assert_eq!(programs.len(), CASES);
    let tools = Tools { archs: &["sm_80"], levels: &[crate::level::Level::O3], ..Tools::NONE };
    for program in &programs {
        let seen = compare(program, tools, None);
        assert_eq!(seen.len(), 20 * 3, "{}", program.name);
        let wrong: Vec<_> = seen.iter().filter(|s| s.verdict != Verdict::Same).collect();
        assert!(wrong.is_empty(), "{}: {:?}", program.name, wrong[0]);
    }
    // A reference that differs from the PTX is detected.
    let other = OWN.replace("hydrazine::brev(a)", "hydrazine::brev(a ^ 1)");
    let programs = read(&made(&files(&other), 20).unwrap()).unwrap();
    let wrong: Vec<bool> = programs
        .iter()
        .map(|p| compare(p, tools, None).iter().any(|s| s.side == Side::Reference && s.verdict != Verdict::Same))
        .collect();
    assert_eq!(wrong.iter().filter(|wrong| **wrong).count(), 1, "{wrong:?}");
    assert!(made(&files("int x = ;"), 1).is_err());
}
