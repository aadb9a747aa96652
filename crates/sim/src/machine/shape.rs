//! The shape of a launch: clusters and the grid in blocks, by the file's attributes.

use crate::failure::FailureKind;
use crate::launch::{Dim3, Launch};
use raddle_cubin::info::{Attribute, Value, code};

/// Most blocks of a cluster (CUDA driver API, non-portable cluster sizes).
const MOST: u64 = 16;

/// The shape of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Blocks.
    pub grid: Dim3,
    /// Blocks of a cluster.
    pub cluster: Dim3,
    /// Whether file or launch ask for clusters; otherwise each block is one.
    pub explicit: bool,
}

fn words(attributes: &[Attribute], wanted: u8) -> Option<&[u32]> {
    attributes.iter().find(|a| a.code == wanted).map(|a| match &a.value {
        Value::Words(words) => words.as_slice(),
        _ => &[],
    })
}

/// Returns the shape for a kernel with these attributes.
pub fn shape(attributes: &[Attribute], launch: &Launch, has_clusters: bool) -> Result<Shape, FailureKind> {
    let fail = |text: String| Err(FailureKind::Launch(text));
    let required = match words(attributes, code::CTA_PER_CLUSTER) {
        Some(&[x, y, z]) => Some(Dim3::new(x, y, z)),
        _ => None,
    };
    if let (Some(given), Some(required)) = (launch.cluster, required)
        && given != required
    {
        return fail(format!("clusters of {given} block(s), the kernel requires {required}"));
    }
    let grid = launch.grid;
    let Some(cluster) = launch.cluster.or(required) else {
        if words(attributes, code::EXPLICIT_CLUSTER).is_some() {
            return fail("the kernel requires a launch in clusters".into());
        }
        return Ok(Shape { grid, cluster: Dim3::from(1), explicit: false });
    };
    if !has_clusters {
        return fail("clusters need a target of sm_90 or newer".into());
    }
    let most = match words(attributes, code::MAX_CLUSTER_RANK) {
        Some(&[rank]) => u64::from(rank).min(MOST),
        _ => MOST,
    };
    if cluster.count() > most {
        return fail(format!("clusters of {cluster} blocks, at most {most} are possible"));
    }
    if words(attributes, code::BLOCKS_ARE_CLUSTERS).is_some() {
        // The launch counts clusters.
        let grid = Dim3::new(grid.x * cluster.x, grid.y * cluster.y, grid.z * cluster.z);
        return Ok(Shape { grid, cluster, explicit: true });
    }
    let parts = [(grid.x, cluster.x), (grid.y, cluster.y), (grid.z, cluster.z)];
    if parts.iter().any(|(all, part)| !all.is_multiple_of(*part)) {
        return fail(format!("a grid of {grid} blocks is not a multiple of clusters of {cluster}"));
    }
    Ok(Shape { grid, cluster, explicit: true })
}
