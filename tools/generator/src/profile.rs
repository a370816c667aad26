//! What programs are made of: how often each construct is tried.

/// Sizes, and chances in percent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Fewest and most statements of the kernel's top level.
    pub statements: (u32, u32),
    /// Greatest depth of an expression.
    pub expression_depth: u32,
    /// Greatest depth of nested statements.
    pub nesting: u32,
    /// Greatest number of work-items of a launch.
    pub work_items: u32,
    /// Greatest number of work-groups in a dimension.
    pub groups: u32,
    /// How often a value is a vector.
    pub vectors: u32,
    /// How often a program uses float, and a value of such a program is one.
    pub floats: u32,
    /// How often a program that uses float also uses double.
    pub doubles: u32,
    /// How often a function of floats is one whose last bits are the implementation's own: no other gives the same.
    pub elementary: u32,
    /// How often a program has structs.
    pub structs: u32,
    /// How often a program has constant tables.
    pub tables: u32,
    /// How often a program has functions besides the kernel.
    pub functions: u32,
    /// How often a program uses local memory and barriers.
    pub local_memory: u32,
    /// How often a program uses atomic operations.
    pub atomics: u32,
    /// How often a program returns early.
    pub early_return: u32,
    /// How often a launch has a global offset.
    pub offset: u32,
}

impl Default for Profile {
    /// Everything, in programs of 30 to 150 lines.
    fn default() -> Self {
        Profile {
            statements: (8, 18),
            expression_depth: 3,
            nesting: 3,
            work_items: 48,
            groups: 4,
            vectors: 35,
            floats: 40,
            doubles: 40,
            elementary: 0,
            structs: 45,
            tables: 50,
            functions: 60,
            local_memory: 45,
            atomics: 30,
            early_return: 25,
            offset: 40,
        }
    }
}

impl Profile {
    /// Scalar integers and control flow alone.
    pub fn scalar_integers() -> Self {
        Profile {
            vectors: 0,
            floats: 0,
            ..Profile::default()
        }
    }

    /// Short programs of few work-items, quick to run and to read.
    pub fn small() -> Self {
        Profile {
            statements: (2, 5),
            expression_depth: 2,
            nesting: 2,
            work_items: 8,
            ..Profile::default()
        }
    }

    /// Short programs of many work-items: queues fill, and loops are as full as they get.
    pub fn crowded() -> Self {
        Profile {
            work_items: 600,
            groups: 40,
            ..Profile::small()
        }
    }

    /// The same with more floats and elementary functions of them: only Sluice's own executors can be compared.
    pub fn with_elementary_functions(self) -> Self {
        Profile {
            floats: 90,
            elementary: 60,
            ..self
        }
    }

    /// The same without local memory, barriers and atomic operations: work-items are independent.
    pub fn without_synchronisation(self) -> Self {
        Profile {
            local_memory: 0,
            atomics: 0,
            ..self
        }
    }
}
