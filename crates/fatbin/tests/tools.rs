//! Files of nvcc, fatbinary and clang are read, and cuobjdump lists ours.

use std::fs;
use std::path::Path;
use std::process::Command;

use raddle_fatbin::{FatbinError, Kind, NewMember, Packing, choose, members, write};
use raddle_filetest::oracle::{self, Oracle};

const SOURCE: &str = "extern \"C\" __global__ void k(int *p) { p[threadIdx.x] += 3; }\nint main() { return 0; }\n";

fn corpus() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/kernels/sha256/nvcc.ptx"))
        .unwrap()
}

fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn assemble(ptxas: &Oracle, folder: &Path, ptx: &str, arch: &str) -> Vec<u8> {
    let (input, output) = (folder.join("in.ptx"), folder.join(format!("{arch}.cubin")));
    fs::write(&input, ptx).unwrap();
    succeed(ptxas.command().arg(format!("-arch={arch}")).arg(&input).arg("-o").arg(&output));
    fs::read(&output).unwrap()
}

#[test]
fn every_way_of_packing_is_undone() {
    let (Some(fatbinary), Some(ptxas)) = (oracle::require("fatbinary"), oracle::require("ptxas")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let text = corpus();
    let cubin = assemble(&ptxas, folder.path(), &text, "sm_90");
    let file = folder.path().join("a.fatbin");
    let mut plain: Option<Vec<u8>> = None;
    for (mode, packing) in
        [("none", Packing::Plain), ("default", Packing::Zstd), ("size", Packing::Zstd), ("speed", Packing::Lz4)]
    {
        let mut command = fatbinary.command();
        command.args(["--64", "--compress-all"]).arg(format!("--compress-mode={mode}"));
        command.arg(format!("--create={}", file.display()));
        command.arg(format!("--image3=kind=ptx,sm=80,file={}", folder.path().join("in.ptx").display()));
        command.arg(format!("--image3=kind=elf,sm=90,file={}", folder.path().join("sm_90.cubin").display()));
        succeed(&mut command);
        let bytes = fs::read(&file).unwrap();
        let read = members(&bytes).unwrap();
        let facts: Vec<_> = read.iter().map(|m| (m.kind, m.sm, m.packing)).collect();
        assert_eq!(facts, [(Kind::Ptx, 80, packing), (Kind::Cubin, 90, packing)], "{mode}");
        assert_eq!(read[0].version, (9, 0));
        // fatbinary drops comments; the text is the same with every compression.
        let ptx = read[0].contents().unwrap();
        assert!(ptx.starts_with(b".version") && text.len() - ptx.len() < 4000, "{mode}: {} bytes", ptx.len());
        assert!(*plain.get_or_insert_with(|| ptx.clone()) == ptx, "{mode}");
        assert!(read[1].contents().unwrap()[..cubin.len()] == cubin, "{mode}");
        // Damage in the compressed bytes gives an error or other contents, but never more than the
        // header declares.
        for at in (0..bytes.len()).step_by(97) {
            let mut bad = bytes.clone();
            bad[at] ^= 0x55;
            if let Ok(read) = members(&bad) {
                for m in &read {
                    assert!(m.contents().is_err() || m.contents().unwrap().len() as u64 <= m.size);
                }
            }
        }
    }
}

#[test]
fn cuobjdump_lists_what_we_write() {
    let (Some(cuobjdump), Some(ptxas)) = (oracle::require("cuobjdump"), oracle::require("ptxas")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let text = corpus();
    let cubins = ["sm_80", "sm_90"].map(|arch| assemble(&ptxas, folder.path(), &text, arch));
    let bytes = write(&[
        NewMember::new(Kind::Ptx, 80, (9, 0), text.as_bytes()),
        NewMember::new(Kind::Cubin, 80, (1, 8), &cubins[0]),
        NewMember::new(Kind::Cubin, 90, (1, 8), &cubins[1]),
    ]);
    let file = folder.path().join("ours.fatbin");
    fs::write(&file, &bytes).unwrap();
    let list = |option: &str| {
        let listed = cuobjdump.run(&[option.as_ref(), file.as_os_str()]).unwrap();
        String::from_utf8(listed)
            .unwrap()
            .lines()
            .filter_map(|l| Some(l.split_once("ours.")?.1.to_owned()))
            .collect::<Vec<_>>()
    };
    assert_eq!(list("-lptx"), ["1.sm_80.ptx"]);
    assert_eq!(list("-lelf"), ["1.sm_80.cubin", "2.sm_90.cubin"]);
    let shown = cuobjdump.run(&["-ptx".as_ref(), file.as_os_str()]).unwrap();
    assert!(String::from_utf8(shown).unwrap().contains(".visible .entry"));
}

#[test]
fn objects_and_archives_of_nvcc_are_read() {
    let Some(nvcc) = oracle::require("nvcc") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("k.cu"), SOURCE).unwrap();
    let make = |arguments: &[&str], output: &str| {
        succeed(nvcc.command().args(arguments).arg(path("k.cu")).arg("-o").arg(path(output)));
        fs::read(path(output)).unwrap()
    };
    let two = ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=compute_90"];
    for (mode, output) in [("-fatbin", "k.fatbin"), ("-c", "k.o"), ("-dc", "rdc.o")] {
        let bytes = make(&[&two[..], &[mode]].concat(), output);
        let read = members(&bytes).unwrap();
        let mut facts: Vec<_> = read.iter().map(|m| (m.kind, m.sm)).collect();
        facts.sort();
        assert_eq!(facts, [(Kind::Ptx, 90), (Kind::Cubin, 80)], "{mode}");
        let ptx = choose(&read, 90).unwrap().contents().unwrap();
        assert!(String::from_utf8(ptx).unwrap().contains(".entry k("), "{mode}");
        assert!(choose(&read, 86).unwrap().contents().unwrap().starts_with(b"\x7fELF"), "{mode}");
    }
    // An archive of two of them, in the common format.
    let mut archive = b"!<arch>\n".to_vec();
    for name in ["k.o", "rdc.o"] {
        let bytes = fs::read(path(name)).unwrap();
        archive.extend(
            format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", format!("{name}/"), 0, 0, 0, 644, bytes.len()).bytes(),
        );
        archive.extend(&bytes);
        archive.resize(archive.len().next_multiple_of(2), b'\n');
    }
    assert_eq!(members(&archive).unwrap().len(), 4);
    let lto = make(&["-arch=sm_90", "-dlto", "-c"], "lto.o");
    let read = members(&lto).unwrap();
    let contents = read.iter().find(|m| m.kind == Kind::LtoIr).unwrap().contents().unwrap();
    assert_eq!(members(&contents).unwrap()[0].options, Some("-ftz=0 -prec_div=1 -prec_sqrt=1 -fmad=1 "));
}

#[test]
fn other_files_are_refused() {
    assert_eq!(members(b"").unwrap_err(), FatbinError::Unknown);
    assert_eq!(members(b".version 8.0").unwrap_err(), FatbinError::Unknown);
    assert!(members(b"\x7fELF").is_err());
    assert!(members(b"!<arch>\nnonsense").is_err());
}
