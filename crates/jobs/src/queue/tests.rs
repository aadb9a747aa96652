//! Tests of the queue without other threads.

use super::*;

#[test]
fn greatest_priority_first_then_first_in_first_out() {
    let queue = Queue::new(usize::MAX);
    for (number, priority) in [3, 9, 3, 1, 9, 3].into_iter().enumerate() {
        queue.push(priority, number).unwrap();
    }
    let order: Vec<usize> = (0..6).map(|_| queue.take().unwrap()).collect();
    assert_eq!(order, [1, 4, 0, 2, 5, 3]);
}

#[test]
fn equal_priorities_stay_in_order_of_submission() {
    let queue = Queue::new(usize::MAX);
    (0..1000).for_each(|number| queue.push(7, number).unwrap());
    assert!((0..1000).all(|number| queue.take() == Some(number)));
}

#[test]
fn closing_gives_back_what_is_queued_and_refuses_more() {
    let queue = Queue::new(1);
    for (number, priority) in [1, 2, 1].into_iter().enumerate() {
        queue.push(priority, number).unwrap();
    }
    assert_eq!(queue.close(), [1, 0, 2]);
    assert_eq!(queue.push(1, 9), Err(9));
    assert_eq!(queue.take(), None);
}

#[test]
fn a_permit_that_retires_goes_with_its_job() {
    let queue = Queue::new(3);
    (0..5).for_each(|number| queue.push(0, number).unwrap());
    let _ = (queue.take(), queue.take(), queue.take());
    queue.retire(2, 3);
    assert_eq!(queue.load().permits, 3);
    queue.finish();
    assert_eq!((queue.load().permits, queue.load().running), (2, 2));
    // One of the two old permits is removed while its token is still held: nothing changes.
    queue.retire(2, 3);
    (0..2).for_each(|_| queue.finish());
    assert_eq!((queue.load().permits, queue.load().running), (1, 0));
    queue.retire(5, 1);
    let _ = queue.take();
    queue.finish();
    assert_eq!(queue.load().permits, 1, "one always stays");
}

#[test]
fn a_sealed_queue_hands_out_what_it_has_and_ends() {
    let queue = Queue::new(1);
    queue.push(0, 7).unwrap();
    queue.seal();
    assert_eq!(queue.push(0, 8), Err(8));
    assert_eq!(queue.take(), Some(7));
    queue.finish();
    assert_eq!(queue.take(), None);
}

#[test]
fn what_does_not_fit_waits_and_lets_others_pass() {
    let queue = Queue::new(usize::MAX);
    queue.grant(0);
    for (priority, weight) in [(9, 60), (8, 50), (7, 10), (6, 50)] {
        queue.push_weighted(priority, weight, priority).unwrap();
    }
    assert_eq!((queue.load().queued, queue.is_held_back(), queue.need(2)), (0, true, (0, 60, 120)));
    queue.grant(100);
    assert_eq!(queue.take_weighted(), Some((9, 60)));
    assert_eq!(queue.take_weighted(), Some((7, 10)), "the second does not fit");
    assert_eq!((queue.load().queued, queue.is_held_back()), (0, true));
    queue.finish_weighted(60);
    assert_eq!(queue.take_weighted(), Some((8, 50)));
    assert_eq!(queue.load().running, 2);
    queue.grant(u64::MAX);
    assert_eq!(queue.take(), Some(6));
    assert!(!queue.is_held_back());
}

#[test]
fn what_is_lent_is_no_jobs_until_it_comes_back() {
    let queue = Queue::new(3);
    queue.push(0, 1).unwrap();
    assert!(!queue.lend(), "jobs come first");
    assert_eq!(queue.take(), Some(1));
    assert!(queue.lend() && queue.lend() && !queue.lend());
    assert_eq!(queue.withdraw_idle_permits(9, 1), 0);
    queue.finish();
    assert_eq!((queue.withdraw_idle_permits(9, 1), queue.withdraw_idle_permits(9, 0)), (0, 1));
    queue.repay(1);
    queue.push(0, 2).unwrap();
    assert_eq!(queue.take(), Some(2));
    assert_eq!(queue.load(), Load { queued: 0, running: 1, permits: 2, lent: 1, suspended: 0, waiting: 0 });
}

#[test]
fn only_idle_permits_are_withdrawn() {
    let queue = Queue::new(4);
    (0..3).for_each(|number| queue.push(0, number).unwrap());
    assert_eq!(queue.withdraw_idle_permits(9, 0), 1);
    let _ = (queue.take(), queue.take(), queue.take());
    queue.finish();
    assert_eq!(queue.withdraw_idle_permits(9, 0), 1);
    assert_eq!(queue.load(), Load { queued: 0, running: 2, permits: 2, lent: 0, suspended: 0, waiting: 0 });
    (0..2).for_each(|_| queue.finish());
    assert_eq!(queue.withdraw_idle_permits(9, 0), 1);
    assert_eq!(queue.withdraw_idle_permits(9, 0), 0);
}

#[test]
fn a_suspended_job_holds_nothing_and_comes_back_before_all_others() {
    let queue = Queue::new(1);
    (0..3).for_each(|number| queue.push_weighted(9, 50, number).unwrap());
    queue.grant(50);
    assert_eq!(queue.take_weighted(), Some((0, 50)));
    queue.suspend(0).unwrap();
    queue.finish_weighted(50);
    assert_eq!(queue.load(), Load { queued: 2, running: 0, permits: 1, lent: 0, suspended: 1, waiting: 0 });
    assert_eq!(queue.need(9).0, 0, "no memory is held");
    assert_eq!(queue.take(), Some(1));
    assert_eq!((queue.resume(|_| false), queue.resume(|&job| job == 0)), (0, 1));
    queue.finish_weighted(50);
    assert_eq!(queue.take(), Some(0), "before all others");
    queue.finish();
    assert_eq!(queue.take(), Some(2));
}

#[test]
fn a_sealed_queue_has_not_ended_while_a_job_is_suspended() {
    let queue = Queue::new(1);
    queue.push(0, 7).unwrap();
    queue.seal();
    assert_eq!(queue.take(), Some(7));
    queue.suspend(7).unwrap();
    queue.finish();
    assert_eq!(queue.withdraw_idle_permits(9, 0), 0, "the implicit slot stays");
    assert_eq!(queue.resume(|_| true), 1);
    assert_eq!(queue.take(), Some(7));
    queue.finish();
    assert_eq!(queue.take(), None);
    queue.wait_idle();
}

#[test]
fn suspended_jobs_are_resumed_early_only_by_workers_without_anything_else() {
    let queue = Queue::new(4);
    (0..4).for_each(|number| queue.push(0, number).unwrap());
    for _ in 0..3 {
        let job = queue.take().unwrap();
        queue.suspend(job).unwrap();
        queue.finish();
    }
    assert_eq!(queue.resume_idle(4, |_| true), 0, "something is queued");
    assert_eq!(queue.take(), Some(3));
    assert_eq!(queue.least_suspended(|&job| (job > 0).then_some(job)), Some(1));
    assert_eq!(queue.resume_idle(2, |&job| job != 1), 1, "one of two runs");
    assert_eq!((queue.take(), queue.load().suspended), (Some(0), 2));
    assert_eq!(queue.close(), [1, 2]);
    assert_eq!(queue.suspend(9), Err(9));
    queue.finish();
    queue.finish();
    queue.wait_idle();
}
