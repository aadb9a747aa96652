//! Batches tiny units, so that passing one to a worker costs less than its work (ISO-5).

/// The batches that workers take at once, as lists of unit numbers. Units that cost less than
/// `least` are combined, in input order, up to that cost; a pure function of the costs.
pub(crate) fn batches(costs: &[u64], least: u64) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut sum = 0_u64;
    for (unit, &cost) in costs.iter().enumerate() {
        if cost >= least {
            batches.push(vec![unit]);
            continue;
        }
        open.push(unit);
        sum = sum.saturating_add(cost);
        if sum >= least {
            batches.push(std::mem::take(&mut open));
            sum = 0;
        }
    }
    if !open.is_empty() {
        batches.push(open);
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::batches;

    #[test]
    fn tiny_tasks_are_put_together_in_input_order() {
        let costs = [9, 1, 1, 12, 5, 5, 2, 10, 3];
        assert_eq!(batches(&costs, 10), [vec![0, 1], vec![3], vec![2, 4, 5], vec![7], vec![6, 8]]);
        assert_eq!(batches(&costs, 0).len(), costs.len());
        assert!(batches(&[], 10).is_empty());
    }
}
