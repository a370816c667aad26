//! The accesses as text: a line for each, one for each pair of a load and a store of an object, and one
//! for each object.

use std::fmt;

use super::{Access, Accesses, Answer, Holds, Overlap, ReadAfterWrite, Stride, Uniformity};

impl fmt::Display for Accesses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (loop_, data) in self.loops().iter() {
            writeln!(f, "{loop_}: {}", data.header)?;
        }
        for access in self.iter() {
            writeln!(f, "{access}")?;
        }
        for load in self.iter().filter(|access| access.reads()) {
            for store in self.iter().filter(|access| access.writes()) {
                if let (Ok(from), Ok(to)) = (&load.form, &store.form)
                    && from.object == to.object
                {
                    let overlap = match self.overlap(load.inst, store.inst) {
                        Overlap::Never => "never overlap",
                        Overlap::Maybe => "may overlap",
                    };
                    let flow = self.read_after_write(load.inst, store.inst);
                    writeln!(f, "{} and {} {overlap}: {flow}", load.inst, store.inst)?;
                }
            }
        }
        for object in self.objects() {
            let touches = |access: &&Access| access.objects.contains(object);
            let is_read = self.iter().filter(touches).any(|it| it.reads());
            let is_written = self.iter().filter(touches).any(|it| it.writes());
            match (is_read, is_written) {
                (true, true) => writeln!(f, "{object}: {}", self.read_after_write_of(object))?,
                (true, false) => writeln!(f, "{object}: only read")?,
                (false, true) => writeln!(f, "{object}: only written")?,
                (false, false) => {}
            }
        }
        Ok(())
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} of {} bytes", self.inst, self.kind, self.bytes)?;
        let form = match &self.form {
            Ok(form) => form,
            Err(reason) => return write!(f, ": {reason}"),
        };
        write!(f, " at {} + {}", form.object, form.sum)?;
        if let Some(bits) = form.modulus {
            write!(f, " mod 2^{bits}")?;
        }
        if let Some(range) = self.range {
            write!(f, ", from {} to {}", range.least, range.greatest)?;
        }
        match self.uniform {
            Uniformity::Launch => f.write_str(", the same for the launch")?,
            Uniformity::Group => f.write_str(", the same for the group")?,
            Uniformity::Item => {}
        }
        write!(f, ", stride {}", Shown(&self.stride))?;
        for (loop_, stride) in &self.loop_strides {
            write!(f, ", {loop_} {}", Shown(stride))?;
        }
        Ok(())
    }
}

struct Shown<'a>(&'a Option<Stride>);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(stride) = self.0 else {
            return f.write_str("unknown");
        };
        write!(f, "{}", stride.bytes)?;
        match stride.holds {
            Holds::Always => Ok(()),
            Holds::InBounds => f.write_str(" in bounds"),
            Holds::Modulo(bits) => write!(f, " mod 2^{bits}"),
        }
    }
}

impl fmt::Display for ReadAfterWrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "own {}; others {}", self.own, self.others)?;
        match self.only_in_races {
            true => f.write_str("; only in races"),
            false => Ok(()),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Never(conditions) if conditions.is_empty() => f.write_str("never"),
            Answer::Never(conditions) => write!(f, "never if {conditions}"),
            Answer::Maybe(reason) => write!(f, "maybe ({reason})"),
        }
    }
}
