//! Runs a graph of commands on the device.

use std::ptr::null_mut;
use std::sync::mpsc::{Receiver, channel};

use opencl_sys::*;

use super::plan::{Action, Node, Order, Outcome, Plan, Random, WORDS};
use crate::support::events::{barrier, marker, status};
use crate::support::{
    Owned, Session, call, check, kernel, launch, read, set_argument, user_event, wait_list,
};

const SOURCE: &str = "
    kernel void scale(global uint* to, uint times) {
        uint at = get_global_id(0);
        to[at] = to[at] * times + at;
    }
    kernel void add(global const uint* from, global uint* to) {
        uint at = get_global_id(0);
        to[at] += from[get_global_size(0) - 1 - at];
    }
";

/// A context with the kernels.
pub struct Device {
    scale: Owned,
    add: Owned,
    session: Session,
}

/// What is enqueued, so far.
struct Run<'a> {
    device: &'a Device,
    queues: Vec<Owned>,
    buffers: Vec<Owned>,
    events: Vec<Owned>,
    /// Where reads go: allocated once, for commands point there.
    reads: Vec<Vec<u32>>,
}

impl Device {
    pub fn new() -> Device {
        let session = Session::new();
        let program = session.build(SOURCE);
        Device {
            scale: kernel(*program, "scale"),
            add: kernel(*program, "add"),
            session,
        }
    }

    /// Enqueues all, while another thread ends the user events in an order of its own.
    pub fn run(&self, plan: &Plan, seed: u64) -> Outcome {
        let queue = |order: &Order| match order {
            Order::None => self.session.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
            Order::AsEnqueued => self.session.queue(0),
        };
        let is_read = |node: &&Node| matches!(node.action, Action::Read { .. });
        let mut run = Run {
            device: self,
            queues: plan.queues.iter().map(queue).collect(),
            buffers: (0..plan.buffers)
                .map(|at| self.session.buffer(&Plan::initial(at)))
                .collect(),
            events: Vec::new(),
            reads: vec![vec![0; WORDS]; plan.nodes.iter().filter(is_read).count()],
        };
        std::thread::scope(|scope| {
            let (gates, theirs) = channel();
            scope.spawn(move || end_gates(&theirs, seed));
            let mut read = 0;
            for node in &plan.nodes {
                let event = run.enqueue(node, &mut read);
                if let Action::Gate(status) = node.action {
                    check(call!(clRetainEvent(*event)));
                    gates
                        .send((Owned::event(*event), status))
                        .expect("the thread waits");
                }
                run.events.push(event);
            }
        });
        run.outcome()
    }
}

/// Ends user events, some as they come, others later and in another order.
fn end_gates(gates: &Receiver<(Owned, cl_int)>, seed: u64) {
    let mut random = Random::new(!seed);
    let mut kept = Vec::new();
    let end = |(gate, status): (Owned, cl_int)| check(call!(clSetUserEventStatus(*gate, status)));
    for gate in gates {
        kept.push(gate);
        while random.below(3) == 0 && !kept.is_empty() {
            end(kept.swap_remove(random.below(kept.len())));
        }
    }
    while !kept.is_empty() {
        end(kept.swap_remove(random.below(kept.len())));
    }
}

impl Run<'_> {
    /// Enqueues a command; the words that it writes are in the plan, which lives longer.
    fn enqueue(&mut self, node: &Node, next_read: &mut usize) -> Owned {
        let queue = *self.queues[node.queue];
        let waits: Vec<cl_event> = node.waits.iter().map(|&it| *self.events[it]).collect();
        let (count, list) = wait_list(&waits);
        let mut event = null_mut();
        let code = match &node.action {
            Action::Gate(_) => return user_event(&self.device.session),
            Action::Marker => return marker(queue, &waits),
            Action::Barrier => return barrier(queue, &waits),
            Action::Scale { to, times } => {
                let scale = *self.device.scale;
                set_argument(scale, 0, *self.buffers[*to]);
                set_argument(scale, 1, *times);
                return launch(queue, scale, WORDS, &waits);
            }
            Action::Add { from, to } => {
                let add = *self.device.add;
                set_argument(add, 0, *self.buffers[*from]);
                set_argument(add, 1, *self.buffers[*to]);
                return launch(queue, add, WORDS, &waits);
            }
            Action::Write { to, first, words } => {
                let (to, offset, size) = (*self.buffers[*to], first * 4, words.len() * 4);
                let from = words.as_ptr().cast();
                call!(clEnqueueWriteBuffer(
                    queue, to, CL_FALSE, offset, size, from, count, list, &mut event
                ))
            }
            Action::Fill {
                to,
                first,
                words,
                with,
            } => {
                let (to, pattern) = (*self.buffers[*to], (&raw const *with).cast());
                let (offset, size) = (first * 4, words * 4);
                call!(clEnqueueFillBuffer(
                    queue, to, pattern, 4, offset, size, count, list, &mut event
                ))
            }
            Action::Copy {
                from,
                to,
                first,
                place,
                words,
            } => {
                let (from, to) = (*self.buffers[*from], *self.buffers[*to]);
                let (first, place, size) = (first * 4, place * 4, words * 4);
                call!(clEnqueueCopyBuffer(
                    queue, from, to, first, place, size, count, list, &mut event
                ))
            }
            Action::Read { from } => {
                let (from, room) = (*self.buffers[*from], self.reads[*next_read].as_mut_ptr());
                *next_read += 1;
                let (size, room) = (WORDS * 4, room.cast());
                call!(clEnqueueReadBuffer(
                    queue, from, CL_FALSE, 0, size, room, count, list, &mut event
                ))
            }
        };
        check(code);
        Owned::event(event)
    }

    /// Waits for all; what they left behind.
    fn outcome(self) -> Outcome {
        for queue in &self.queues {
            // Its code after a failure is not said.
            call!(clFinish(**queue));
        }
        let queue = *self.device.session.queue;
        Outcome {
            statuses: self.events.iter().map(|event| status(**event)).collect(),
            buffers: self
                .buffers
                .iter()
                .map(|buffer| read(queue, **buffer, WORDS))
                .collect(),
            reads: self.reads,
        }
    }
}
