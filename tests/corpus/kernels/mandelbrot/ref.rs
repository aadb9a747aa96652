//! The same operations in the same order: single precision is exact.
use crate::kernel::Args;

/// Computes the outputs of the kernel.
pub fn run(args: &mut Args) {
    let (width, height, limit) = (args.get::<i32>("width"), args.get::<i32>("height"), args.get::<i32>("limit"));
    let mut out = Vec::new();
    for py in 0..height {
        for px in 0..width {
            let cx = -2.0 + 3.0 * px as f32 / width as f32;
            let cy = -1.0 + 2.0 * py as f32 / height as f32;
            let (mut x, mut y, mut i) = (0.0f32, 0.0f32, 0);
            while i < limit && x * x + y * y <= 4.0 {
                (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
                i += 1;
            }
            out.push(i as u32);
        }
    }
    args.set_buffer("out", &out);
}
