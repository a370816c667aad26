//! Devices: the simulated FPGA, and parts of it.

use std::sync::Arc;

use opencl_sys::{
    CL_DEVICE_NOT_FOUND, CL_DEVICE_PARTITION_BY_COUNTS, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END,
    CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_FAILED, CL_INVALID_DEVICE,
    CL_INVALID_DEVICE_PARTITION_COUNT, CL_INVALID_VALUE, cl_device_id,
    cl_device_partition_property, cl_int,
};

use sluice_driver::program::Destination;

use crate::code::{Answer, Code, require};
use crate::device_memory::DeviceMemory;
use crate::engine::{Bandwidth, Engine, Nanoseconds};
use crate::event::Clock;
use crate::handles::{Handle, Object};
use crate::platform::Platform;
use crate::settings::{Executor, Settings};

/// A device.
#[derive(Debug)]
pub(crate) struct Device {
    handle: Handle,
    pub(crate) settings: &'static Settings,
    /// Pipelines of each kernel: what the device can be parted into.
    pub(crate) datapaths: u32,
    pub(crate) parent: Option<Arc<Device>>,
    /// How it was made a part of its parent.
    pub(crate) partition: Vec<cl_device_partition_property>,
    /// Moves bytes between host and device; its parts share it.
    pub(crate) link: Arc<Engine>,
    /// Its parts share it, too.
    pub(crate) memory: Arc<DeviceMemory>,
    /// And how fast it is.
    pub(crate) bandwidth: Arc<Bandwidth>,
    /// Goes on whatever contexts the device and its parts are in.
    pub(crate) clock: Arc<Clock>,
}

impl Object for Device {
    const INVALID: cl_int = CL_INVALID_DEVICE;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Device {
    /// The device that the environment asks for.
    pub(crate) fn whole(settings: &'static Settings) -> Device {
        Device {
            handle: Handle::new(),
            settings,
            datapaths: settings.choices.datapaths.unwrap_or(1),
            parent: None,
            partition: Vec::new(),
            link: Arc::default(),
            memory: Arc::new(DeviceMemory::new(settings.board.memory_bytes)),
            bandwidth: Arc::default(),
            clock: Arc::default(),
        }
    }

    /// The platform's device.
    pub(crate) fn get() -> Answer<Arc<Device>> {
        let device = Platform::get().device.clone();
        device.ok_or(Code(CL_DEVICE_NOT_FOUND))
    }

    /// Its handle.
    pub(crate) fn pointer(&self) -> cl_device_id {
        self.handle.pointer()
    }

    /// What programs are built for. The interpreter takes what has no circuit, too.
    pub(crate) fn destination(&self) -> Destination {
        Destination {
            target: match self.settings.executor {
                Executor::Interpreter => "interpreter".to_owned(),
                Executor::Simulator | Executor::Verilog => self.settings.board.name.clone(),
            },
            datapaths: self.datapaths,
            banks: self.settings.choices.banks,
            lanes: self.settings.choices.lanes,
            memory: self.settings.choices.memory,
            plan: self.settings.plan.as_ref().map(ToString::to_string),
            group_items: self.settings.group_items,
        }
    }

    /// Parts of the device.
    pub(crate) fn split(
        self: &Arc<Device>,
        how: &[cl_device_partition_property],
    ) -> Answer<Vec<Arc<Device>>> {
        let parts = self.counts(how)?;
        let part = |datapaths| {
            Arc::new(Device {
                handle: Handle::new(),
                settings: self.settings,
                datapaths,
                parent: Some(self.clone()),
                partition: how.to_vec(),
                link: self.link.clone(),
                memory: self.memory.clone(),
                bandwidth: self.bandwidth.clone(),
                clock: self.clock.clone(),
            })
        };
        Ok(parts.into_iter().map(part).collect())
    }

    /// The pipelines of each part.
    fn counts(&self, how: &[cl_device_partition_property]) -> Answer<Vec<u32>> {
        // One pipeline has no parts.
        require(self.datapaths > 1, CL_DEVICE_PARTITION_FAILED)?;
        let number = |value: isize, code| u32::try_from(value).map_err(|_| Code(code));
        match how {
            [CL_DEVICE_PARTITION_EQUALLY, each, 0] => {
                let each = number(*each, CL_INVALID_VALUE)?;
                require(each > 0, CL_INVALID_VALUE)?;
                require(each <= self.datapaths, CL_DEVICE_PARTITION_FAILED)?;
                Ok(vec![each; (self.datapaths / each) as usize])
            }
            [CL_DEVICE_PARTITION_BY_COUNTS, counts @ .., end, 0]
                if *end == CL_DEVICE_PARTITION_BY_COUNTS_LIST_END =>
            {
                let counts: Vec<u32> = counts
                    .iter()
                    .map(|&it| number(it, CL_INVALID_DEVICE_PARTITION_COUNT))
                    .collect::<Answer<_>>()?;
                let sum: u64 = counts.iter().map(|&it| u64::from(it)).sum();
                let fits = !counts.is_empty() && !counts.contains(&0);
                require(
                    fits && sum <= self.datapaths.into(),
                    CL_INVALID_DEVICE_PARTITION_COUNT,
                )?;
                Ok(counts)
            }
            _ => Err(Code(CL_INVALID_VALUE)),
        }
    }

    /// How long bytes take between host and device.
    pub(crate) fn transfer(&self, bytes: usize) -> Nanoseconds {
        // Gigabytes per second are bytes per nanosecond.
        let speed = self.settings.board.host_gigabytes_per_second;
        (bytes as f64 / speed).ceil() as Nanoseconds
    }

    /// How long bytes take from one place in the device's memory to another.
    pub(crate) fn copy(&self, bytes: usize) -> Nanoseconds {
        let cycles = 2 * bytes as u64 / u64::from(self.settings.board.timing.bytes_per_cycle);
        self.settings.device_time(cycles)
    }
}
