//! `compile --report FILE`: a self-contained HTML page about a build, which loads no other files.
//!
//! The page is a template with a script; all measured values are in it as one JSON object (`<script
//! id="data">`), which includes the trace of `--timings`.

use super::explain_build::BuildSummary;
use super::kernels;
use crate::Failure;
use crate::demangle::demangle;
use raddle_diag::render::json;
use raddle_driver::codes;
use raddle_driver::report::{Report, UnitReport};
use serde_json::{Value, json};
use std::time::Instant;

const TEMPLATE: &str = include_str!("report_page.html");

/// The placeholder for the data in the template.
const SLOT: &str = "{{data}}";

/// The page of a build.
pub(super) fn page(report: &Report, begun: Instant) -> Result<String, Failure> {
    let broken = |error: String| Failure::new(codes::E0041, format!("the report: {error}"));
    let mut trace = Vec::new();
    report.timeline.write(&mut trace).map_err(|error| broken(error.to_string()))?;
    let trace: Value = serde_json::from_slice(&trace).map_err(|error| broken(error.to_string()))?;
    let rows = |units: &[UnitReport]| -> Vec<Value> {
        let row = |unit: &UnitReport| {
            let mut facts = kernels::facts(unit);
            facts["shown"] = demangle(&unit.name).into();
            facts["cost"] = unit.cost.into();
            facts
        };
        units.iter().map(row).collect()
    };
    let data = json!({
        "schema": json::SCHEMA,
        "kind": "report",
        "version": env!("CARGO_PKG_VERSION"),
        "target": report.target.map(|target| target.name),
        "build": BuildSummary::of(report, begun).facts(report),
        "kernels": rows(&report.kernels),
        "functions": rows(&report.functions),
        "trace": trace,
    });
    // With any kernel names, no tag can begin inside the data.
    let data = data.to_string().replace('<', "\\u003c");
    let (before, after) = TEMPLATE.split_once(SLOT).ok_or_else(|| broken("no place for the data".to_string()))?;
    Ok([before, &data, after].concat())
}
