//! Commands, which are events, and the order in which they run.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use opencl_sys::{
    CL_COMMAND_USER, CL_COMPLETE, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_INVALID_EVENT,
    CL_QUEUED, CL_RUNNING, CL_SUBMITTED, cl_command_type, cl_event, cl_int,
};

use crate::calls::UserData;
use crate::code::{Answer, Code};
use crate::context::Context;
use crate::engine::{Engine, Nanoseconds, Spent};
use crate::handles::{Handle, Object};
use crate::queue::Queue;

/// A command that was enqueued, or something that only the program knows the end of.
#[derive(Debug)]
pub(crate) struct Event {
    handle: Handle,
    pub(crate) context: Arc<Context>,
    /// None for those of the program.
    pub(crate) queue: Option<Arc<Queue>>,
    pub(crate) command: cl_command_type,
    state: Mutex<State>,
    changed: Condvar,
}

impl Object for Event {
    const INVALID: cl_int = CL_INVALID_EVENT;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

/// What a command does; the result is what it took of the device.
pub(crate) type Work = Box<dyn FnOnce() -> Answer<Spent> + Send>;

/// Why a command waits for another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wait {
    /// The program says so; if the other fails, so does this.
    Asked,
    /// They are in the same queue, in this order.
    Order,
}

/// When what happened, on the device's clock.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    pub(crate) queued: Nanoseconds,
    pub(crate) start: Nanoseconds,
    pub(crate) end: Nanoseconds,
}

struct State {
    status: cl_int,
    /// Those that have not ended, and one until all are counted.
    waits_for: usize,
    /// One that the program made it wait for has failed.
    is_lost: bool,
    times: Times,
    work: Option<(Arc<Engine>, Work)>,
    waiting: Vec<(Arc<Event>, Wait)>,
    callbacks: Vec<Callback>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "status {}, waits for {}", self.status, self.waits_for)
    }
}

/// What the program wants to have called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callback {
    pub(crate) when: cl_int,
    pub(crate) function: unsafe extern "C" fn(cl_event, cl_int, *mut c_void),
    pub(crate) data: UserData,
}

impl Event {
    fn new(
        context: &Arc<Context>,
        queue: Option<&Arc<Queue>>,
        command: cl_command_type,
        status: cl_int,
        work: Option<(Arc<Engine>, Work)>,
    ) -> Arc<Event> {
        let seen = context.clock.seen();
        let times = Times {
            queued: seen,
            start: seen,
            end: seen,
        };
        let event = Arc::new(Event {
            handle: Handle::new(),
            context: context.clone(),
            queue: queue.cloned(),
            command,
            state: Mutex::new(State {
                status,
                waits_for: 1,
                is_lost: false,
                times,
                work,
                waiting: Vec::new(),
                callbacks: Vec::new(),
            }),
            changed: Condvar::new(),
        });
        crate::handles::introduce(&event);
        event
    }

    /// An event of the program.
    pub(crate) fn of_program(context: &Arc<Context>) -> Arc<Event> {
        Event::new(context, None, CL_COMMAND_USER, CL_SUBMITTED, None)
    }

    /// A command, which runs when [`Event::start`] has been called and all that it waits for have
    /// ended.
    pub(crate) fn of_command(
        queue: &Arc<Queue>,
        command: cl_command_type,
        engine: Arc<Engine>,
        work: Work,
    ) -> Arc<Event> {
        let work = Some((engine, work));
        Event::new(&queue.context, Some(queue), command, CL_QUEUED, work)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("work runs outside of the lock")
    }

    /// Makes a command wait for another; before [`Event::start`].
    pub(crate) fn wait_for(self: &Arc<Event>, other: &Arc<Event>, why: Wait) {
        let mut state = other.lock();
        if state.status > CL_COMPLETE {
            self.lock().waits_for += 1;
            state.waiting.push((self.clone(), why));
        } else {
            self.lock().note(&state, why);
        }
    }

    /// Makes a command start no earlier than this.
    pub(crate) fn not_before(&self, time: Nanoseconds) {
        let mut state = self.lock();
        state.times.start = state.times.start.max(time);
    }

    /// All that it waits for are known.
    pub(crate) fn start(self: &Arc<Event>) {
        self.one_less();
    }

    fn one_less(self: &Arc<Event>) {
        let mut state = self.lock();
        state.waits_for -= 1;
        if state.waits_for > 0 {
            return;
        }
        let Some((engine, work)) = state.work.take() else {
            return;
        };
        let is_lost = state.is_lost;
        drop(state);
        if is_lost {
            drop(work);
            return self.end(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        }
        self.reach(CL_SUBMITTED);
        let event = self.clone();
        let job = Box::new(move || event.run(&engine, work));
        self.context.workers.submit(job);
    }

    fn run(self: Arc<Event>, engine: &Engine, work: Work) {
        self.reach(CL_RUNNING);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        match result.unwrap_or(Err(Code::RESOURCES)) {
            Ok(spent) => {
                let mut state = self.lock();
                (state.times.start, state.times.end) = engine.occupy(state.times.start, spent);
                drop(state);
                self.end(CL_COMPLETE);
            }
            Err(code) => {
                let mut state = self.lock();
                state.times.end = state.times.start;
                drop(state);
                self.end(code.0);
            }
        }
    }

    fn reach(self: &Arc<Event>, status: cl_int) {
        let mut state = self.lock();
        state.status = status;
        self.call_back(&mut state);
    }

    /// Ends it, and lets those run that waited for nothing else.
    fn end(self: &Arc<Event>, status: cl_int) {
        self.end_with(self.lock(), status);
    }

    fn end_with(self: &Arc<Event>, mut state: MutexGuard<'_, State>, status: cl_int) {
        state.status = status;
        self.call_back(&mut state);
        let waiting = std::mem::take(&mut state.waiting);
        for (event, why) in &waiting {
            event.lock().note(&state, *why);
        }
        let end = state.times.end;
        drop(state);
        if let Some(queue) = &self.queue {
            queue.ended(self, status, end);
        }
        self.changed.notify_all();
        for (event, _) in waiting {
            event.one_less();
        }
    }

    fn call_back(self: &Arc<Event>, state: &mut State) {
        let (status, end) = (state.status, state.times.end);
        let due = |callback: &mut Callback| status <= callback.when;
        for callback in state.callbacks.extract_if(.., due) {
            self.call(callback, status, end);
        }
    }

    fn call(self: &Arc<Event>, callback: Callback, status: cl_int, end: Nanoseconds) {
        let event = self.clone();
        // The status that was asked for, or the error.
        let status = match status < CL_COMPLETE {
            true => status,
            false => callback.when,
        };
        self.context.workers.submit(Box::new(move || {
            let Callback { function, data, .. } = callback;
            let UserData(data) = data;
            // The program learns of it by being called. Before the end it is no more than it knew.
            event.context.clock.see(end);
            // SAFETY: the program gave the function for this.
            unsafe { function(event.handle.pointer(), status, data) };
        }));
    }

    /// Has the program called when the status is reached.
    pub(crate) fn set_callback(self: &Arc<Event>, callback: Callback) {
        let mut state = self.lock();
        state.callbacks.push(callback);
        self.call_back(&mut state);
    }

    /// Ends an event of the program; says whether it was still open.
    pub(crate) fn end_by_program(self: &Arc<Event>, status: cl_int) -> bool {
        let mut state = self.lock();
        let is_open = state.status == CL_SUBMITTED;
        if is_open {
            state.times.end = self.context.clock.seen();
            // Under the same lock: of two threads that end it, one does.
            self.end_with(state, status);
        }
        is_open
    }

    /// How far it is.
    pub(crate) fn status(&self) -> cl_int {
        let state = self.lock();
        if state.status <= CL_COMPLETE {
            self.context.clock.see(state.times.end);
        }
        state.status
    }

    /// Waits until it has ended; the status is then no longer positive.
    pub(crate) fn wait(&self) -> cl_int {
        let mut state = self.lock();
        while state.status > CL_COMPLETE {
            state = self
                .changed
                .wait(state)
                .expect("work runs outside of the lock");
        }
        self.context.clock.see(state.times.end);
        state.status
    }

    /// When what happened; the end is known once it has ended.
    pub(crate) fn times(&self) -> Times {
        self.lock().times
    }
}

impl State {
    /// Another that it waits for has ended.
    fn note(&mut self, other: &State, why: Wait) {
        self.times.start = self.times.start.max(other.times.end);
        self.is_lost |= why == Wait::Asked && other.status < CL_COMPLETE;
    }
}

/// How far the program knows the device's clock to have come: the latest end that it has seen.
#[derive(Debug, Default)]
pub(crate) struct Clock(AtomicU64);

impl Clock {
    fn seen(&self) -> Nanoseconds {
        self.0.load(Relaxed)
    }

    /// The program learns of an end.
    pub(crate) fn see(&self, end: Nanoseconds) {
        self.0.fetch_max(end, Relaxed);
    }
}
