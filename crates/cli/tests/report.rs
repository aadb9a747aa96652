//! The page of `--report`: its data, the output of its script, and its layout in a browser.

use crate::common::{Bench, EMPTY_KERNEL, command, corpus, finish, raddle};
use raddle_filetest::oracle;
use serde_json::Value;

fn eight() -> String {
    corpus().join("modules/eight/nvcc.ptx").to_str().unwrap().to_string()
}

/// The data object in a page of `--report`.
fn data_of(page: &str) -> Value {
    let data =
        page.split_once("<script type=\"application/json\" id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(data).unwrap()
}

#[test]
fn a_page_shows_the_build() {
    let bench = Bench::new();
    let odd = bench.file("odd.ptx", EMPTY_KERNEL.replace("k()", "_Z1aPKc()"));
    let (page, trace) = (bench.path("page.html"), bench.path("trace.json"));
    let args =
        ["compile", &eight(), &odd, "-o", "/dev/null", "--arch", "sm_90", "--report", &page, "--timings", &trace];
    assert_eq!(raddle(&args).code, Some(0));
    let page = std::fs::read_to_string(page).unwrap();
    let data = data_of(&page);
    assert_eq!((&data["kind"], &data["target"]), (&"report".into(), &"sm_90".into()));
    let kernels = data["kernels"].as_array().unwrap();
    let named = |name: &str| kernels.iter().find(|kernel| kernel["name"] == name).unwrap();
    assert_eq!(kernels.len(), 9);
    assert_eq!(named("_Z1aPKc")["shown"], "a(char const*)");
    assert!(
        named("matmul")["wall_ms"].as_f64().unwrap() > 0.0 && named("matmul")["peak_bytes"].as_u64().unwrap() > 1000
    );
    // The trace inside is the one of --timings.
    let trace: Value = serde_json::from_slice(&std::fs::read(trace).unwrap()).unwrap();
    assert_eq!(data["trace"]["otherData"]["origin_us"], trace["otherData"]["origin_us"]);
    let tasks = |trace: &Value| -> Vec<Value> {
        trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["cat"] == "kernel").cloned().collect()
    };
    assert_eq!(tasks(&data["trace"]), tasks(&trace));
    assert_eq!(tasks(&trace).len(), 9);
    let build = &data["build"];
    assert!(
        build["wall_ms"].as_f64() >= build["bound_ms"].as_f64() && !build["held_back_by"].as_str().unwrap().is_empty()
    );
    // The page loads no other files.
    assert!(
        !page.contains("src=") && !page.contains("href=") && !page.replace("http://www.w3.org", "").contains("http")
    );
}

/// The part of a document that the page's script uses; prints what the script has drawn.
const DOCUMENT: &str = r#"
const made = { svg: {}, table: {} };
function node(name, svg) {
  return {
    name, namespaceURI: svg ? "x/svg" : "x/html", children: [], attributes: {},
    setAttribute(key, value) { this.attributes[key] = String(value); },
    appendChild(child) { this.children.push(child); return child; },
    replaceChildren() { this.children = []; },
  };
}
const ids = { data: { textContent: require("fs").readFileSync(process.argv[2], "utf8") } };
for (const id of ["gantt", "jobs", "tokens", "memory"]) ids[id] = node(id, true);
for (const id of ["facts", "kernels"]) ids[id] = node(id, false);
globalThis.document = {
  getElementById: id => ids[id],
  createElement: name => node(name, false),
  createElementNS: (_, name) => node(name, true),
};
require(process.argv[3]);
const rows = () => ids.kernels.children.slice(1).map(row => row.children.at(-1).textContent);
const before = rows();
ids.kernels.children[0].children.at(-1).onclick();
console.log(JSON.stringify({
  boxes: ids.gantt.children.filter(e => e.name === "rect" && e.attributes.class === "kernel").map(e => e.children[0].textContent),
  widths: ids.gantt.children.filter(e => e.name === "rect").map(e => Number(e.attributes.width)),
  memory: ids.memory.children.filter(e => e.name === "path").map(e => e.attributes.d),
  facts: ids.facts.children.length, before, after: rows(),
}));
"#;

#[test]
fn the_script_of_the_page_draws_every_kernel() {
    let Some(node) = oracle::require("node") else { return };
    let bench = Bench::new();
    let page = bench.path("page.html");
    assert_eq!(raddle(&["compile", &eight(), "-o", "/dev/null", "--report", &page]).code, Some(0));
    let page = std::fs::read_to_string(page).unwrap();
    let data = bench.file("data.json", data_of(&page).to_string());
    let script = page.rsplit_once("<script>").unwrap().1.split_once("</script>").unwrap().0;
    let (script, document) = (bench.file("page.js", script), bench.file("document.js", DOCUMENT));
    let drawn: Value = serde_json::from_slice(&node.run(&[&document, &data, &script]).unwrap()).unwrap();
    let strings = |name: &str| -> Vec<String> {
        drawn[name].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_string()).collect()
    };
    assert_eq!(strings("boxes").len(), 8);
    assert!(strings("boxes").iter().any(|text| text.starts_with("matmul: ") && text.ends_with(" ms")));
    assert!(drawn["widths"].as_array().unwrap().iter().all(|width| width.as_f64().unwrap() > 0.0));
    assert!(
        strings("memory").iter().all(|path| path.starts_with('M') && !path.contains("NaN"))
            && strings("memory").len() == 1
    );
    assert_eq!(drawn["facts"], 22);
    let (before, after) = (strings("before"), strings("after"));
    assert!(before.len() == 8 && after.is_sorted() && after.len() == 8, "a click on a heading sorts: {after:?}");
}

/// Inserted at the start of the page.
const WITNESS: &str = "<script>window.errors = []; window.onerror = what => { errors.push(String(what)); };</script>";

/// Inserted at the end of the page: clicks on a heading and prints where everything is.
const VERDICT: &str = r##"<pre id="verdict"></pre><script>{
  const box = e => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const all = what => [...document.querySelectorAll(what)];
  const names = () => all("#kernels tr").slice(1).map(row => row.lastChild.textContent);
  const before = names();
  document.querySelector("#kernels th:last-child").click();
  document.getElementById("verdict").textContent = JSON.stringify({
    errors, before, after: names(),
    gantt: box(document.getElementById("gantt")),
    boxes: all("#gantt rect.kernel").map(e => ({ title: e.textContent, at: box(e) })),
    remote: all("#gantt rect.remote").map(box),
    lines: all("#jobs path, #memory path").map(box),
    charts: all("svg").map(box),
    facts: all("#facts dd").map(e => e.textContent),
    width: [document.documentElement.scrollWidth, window.innerWidth],
  });
}</script>"##;

/// What a browser says of the page of a build with these options.
fn verdict(browser: &oracle::Oracle, options: &[&str]) -> Value {
    let bench = Bench::new();
    let page = bench.path("page.html");
    let mut build = command(&[&["compile", &eight(), "-o", "/dev/null", "--report", &page], options].concat());
    // Nothing is given away with an injected fault.
    build.env_remove("RADDLE_FAULT");
    assert_eq!(finish(build).code, Some(0));
    let text = std::fs::read_to_string(page).unwrap();
    let text = text.replacen("<meta charset=\"utf-8\">", &format!("<meta charset=\"utf-8\">{WITNESS}"), 1);
    let judged = bench.file("judged.html", text.replacen("</html>", &format!("{VERDICT}</html>"), 1));
    let mut command = browser.command();
    // For root in a container the browser has no sandbox.
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,2000", "--dump-dom"]);
    command.arg(format!("--user-data-dir={}", bench.path("profile"))).arg(format!("file://{judged}"));
    let out = command.output().unwrap();
    let dom = String::from_utf8(out.stdout).unwrap();
    let Some((_, verdict)) = dom.split_once("<pre id=\"verdict\">") else {
        panic!("{dom}{}", String::from_utf8_lossy(&out.stderr))
    };
    serde_json::from_str(verdict.split_once("</pre>").unwrap().0).unwrap()
}

#[test]
fn a_browser_shows_the_page() {
    let names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
    let Some(browser) = oracle::require_any(&names) else { return };
    let own = format!("exec:{}", env!("CARGO_BIN_EXE_raddle"));
    let remote = verdict(&browser, &["--remote", &own]);
    assert_eq!(remote["errors"], serde_json::json!([]));
    let count = |name: &str| remote[name].as_array().unwrap().len();
    assert!(count("remote") > 0 && count("lines") == 5 && count("facts") == 12, "{remote}");
    let verdict = verdict(&browser, &[]);
    assert_eq!(verdict["errors"], serde_json::json!([]));
    let strings = |name: &str| -> Vec<&str> {
        verdict[name].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
    };
    let (before, after) = (strings("before"), strings("after"));
    assert!(before.len() == 8 && after.len() == 8 && after.is_sorted() && before != after, "{before:?} {after:?}");
    assert!(strings("facts").len() == 11 && strings("facts").iter().all(|fact| !fact.is_empty()));
    let place = |value: &Value| -> [f64; 4] { std::array::from_fn(|i| value[i].as_f64().unwrap()) };
    let [left, top, right, bottom] = place(&verdict["gantt"]);
    let boxes: Vec<[f64; 4]> = verdict["boxes"].as_array().unwrap().iter().map(|it| place(&it["at"])).collect();
    assert_eq!(boxes.len(), 8);
    for (i, a) in boxes.iter().enumerate() {
        assert!(a[0] >= left && a[1] >= top && a[2] <= right && a[3] <= bottom && a[2] > a[0] && a[3] > a[1], "{a:?}");
        // Kernels of one worker do not overlap, except by the minimum width of each.
        let covers = |b: &&[f64; 4]| a[1] == b[1] && a[0] + 1.0 < b[2] && b[0] + 1.0 < a[2];
        assert!(boxes[..i].iter().find(covers).is_none(), "{a:?} {boxes:?}");
    }
    let places = |name: &str| -> Vec<[f64; 4]> { verdict[name].as_array().unwrap().iter().map(place).collect() };
    assert!(places("charts").len() == 4 && places("charts").is_sorted_by(|a, b| a[3] <= b[1]), "one below the other");
    assert!(places("lines").len() == 4 && places("lines").iter().all(|line| line[2] > line[0] && line[2] <= right));
    assert!(verdict["width"][0].as_f64() <= verdict["width"][1].as_f64(), "it is as wide as the window");
}
