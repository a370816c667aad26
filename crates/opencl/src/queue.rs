//! Queues: which commands wait for which.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use opencl_sys::{
    CL_COMPLETE, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_INVALID_COMMAND_QUEUE,
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, cl_command_queue_properties, cl_command_type, cl_int,
    cl_queue_properties,
};

use crate::code::{Answer, Code};
use crate::context::Context;
use crate::device::Device;
use crate::engine::{Engine, Nanoseconds};
use crate::event::{Event, Wait, Work};
use crate::handles::{Handle, Object};

/// A command queue.
#[derive(Debug)]
pub(crate) struct Queue {
    handle: Handle,
    pub(crate) context: Arc<Context>,
    pub(crate) device: Arc<Device>,
    pub(crate) properties: cl_command_queue_properties,
    /// As the program gave them, if it did so as a list.
    pub(crate) given: Option<Vec<cl_queue_properties>>,
    state: Mutex<State>,
    ended: Condvar,
}

impl Object for Queue {
    const INVALID: cl_int = CL_INVALID_COMMAND_QUEUE;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

#[derive(Debug, Default)]
struct State {
    /// What has not ended, in the order in which it came.
    open: Vec<Arc<Event>>,
    /// The last barrier of a queue without order.
    barrier: Option<Arc<Event>>,
    /// When the last barrier that has ended did so.
    barrier_end: Nanoseconds,
    /// When the last of those that have ended did so.
    end: Nanoseconds,
    /// The device has failed at a command since the program last waited for all.
    has_failed: bool,
}

/// What a command waits for beside what the program says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dependency {
    /// What the order of the queue asks for.
    QueueOrder,
    /// All commands before it; later ones do not wait for it.
    Marker,
    /// All commands before it; later ones wait for it.
    Barrier,
    /// The events in the program's list; later commands wait for it.
    BarrierOfList,
}

/// A command in the making.
pub(crate) struct Command {
    pub(crate) kind: cl_command_type,
    pub(crate) engine: Arc<Engine>,
    pub(crate) dependency: Dependency,
    pub(crate) work: Work,
}

impl Queue {
    /// An empty queue.
    pub(crate) fn new(
        context: Arc<Context>,
        device: Arc<Device>,
        properties: cl_command_queue_properties,
        given: Option<Vec<cl_queue_properties>>,
    ) -> Queue {
        Queue {
            handle: Handle::new(),
            context,
            device,
            properties,
            given,
            state: Mutex::default(),
            ended: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nothing panics with the lock")
    }

    fn is_in_order(&self) -> bool {
        self.properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0
    }

    /// Adds a command.
    pub(crate) fn enqueue(self: &Arc<Queue>, command: Command, asked: &[Arc<Event>]) -> Arc<Event> {
        let Command {
            kind,
            engine,
            dependency,
            work,
        } = command;
        let event = Event::of_command(self, kind, engine, work);
        let mut state = self.lock();
        for other in asked {
            event.wait_for(other, Wait::Asked);
        }
        match (dependency, self.is_in_order()) {
            (_, true) => {
                event.not_before(state.end);
                if let Some(last) = state.open.last() {
                    event.wait_for(last, Wait::Order);
                }
            }
            (Dependency::QueueOrder | Dependency::BarrierOfList, false) => {
                event.not_before(state.barrier_end);
                if let Some(barrier) = &state.barrier {
                    event.wait_for(barrier, Wait::Order);
                }
            }
            (Dependency::Marker | Dependency::Barrier, false) => {
                event.not_before(state.end);
                for other in &state.open {
                    event.wait_for(other, Wait::Order);
                }
            }
        }
        if matches!(dependency, Dependency::Barrier | Dependency::BarrierOfList) {
            state.barrier = Some(event.clone());
        }
        state.open.push(event.clone());
        drop(state);
        event.start();
        event
    }

    /// A command has ended.
    pub(crate) fn ended(&self, event: &Arc<Event>, status: cl_int, end: Nanoseconds) {
        let mut state = self.lock();
        state.open.retain(|it| !Arc::ptr_eq(it, event));
        state.end = state.end.max(end);
        // A command that did not run because another failed says so itself: the device is fine.
        let was_run = status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        state.has_failed |= status < CL_COMPLETE && was_run;
        if state
            .barrier
            .as_ref()
            .is_some_and(|it| Arc::ptr_eq(it, event))
        {
            state.barrier = None;
            state.barrier_end = end;
        }
        drop(state);
        self.ended.notify_all();
    }

    /// Whether what a command of a queue with order has read is what the commands before it have made.
    pub(crate) fn check(&self) -> Answer {
        match self.is_in_order() && self.lock().has_failed {
            true => Err(Code::RESOURCES),
            false => Ok(()),
        }
    }

    /// Waits until all that was enqueued has ended.
    pub(crate) fn finish(&self) -> Answer {
        let mut state = self.lock();
        let until = state.open.clone();
        let is_open = |state: &State| {
            let mut open = state.open.iter();
            open.any(|it| until.iter().any(|event| Arc::ptr_eq(it, event)))
        };
        while is_open(&state) {
            state = self
                .ended
                .wait(state)
                .expect("nothing panics with the lock");
        }
        self.context.clock.see(state.end);
        match std::mem::take(&mut state.has_failed) {
            true => Err(Code::RESOURCES),
            false => Ok(()),
        }
    }
}
