//! Random kernels, valid or not, survive printing and parsing; the verifier survives them.

use sluice_kernel::Kernel;
use sluice_kernel::ir::*;
use sluice_kernel::text::parse;
use sluice_kernel::verify::verify;

/// A small generator (xorshift): each seed is one kernel.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.bits() >> 33) as usize % bound
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn text(&mut self) -> String {
        let characters = [
            'a', 'Z', '_', '7', ' ', '"', '\'', '\\', '\n', '\r', '\t', '\0', ';', '{', '%', 'é',
            '\u{301}', '\u{200b}', '\u{7f}', '🌊',
        ];
        let length = self.below(8);
        (0..length).map(|_| self.pick(&characters)).collect()
    }

    fn ty(&mut self) -> Type {
        match self.below(5) {
            0 => Type::F16,
            1 => Type::F32,
            2 => Type::F64,
            3 => Type::Ptr(self.pick(&Space::NAMES).0),
            _ => Type::Int(1 + self.below(64) as u8),
        }
    }

    fn element(&mut self) -> Element {
        let width = self.pick(&[8, 16, 32, 64]);
        let scalars = [
            Scalar::Signed(width),
            Scalar::Unsigned(width),
            Scalar::Half,
            Scalar::Float,
            Scalar::Double,
        ];
        Element {
            scalar: self.pick(&scalars),
            lanes: self.pick(&[1, 2, 3, 4, 8, 16]),
        }
    }

    fn pointee(&mut self) -> Pointee {
        match self.flip() {
            true => Pointee::Element(self.element()),
            false => Pointee::Opaque(self.bits() as u32),
        }
    }

    fn size(&mut self) -> Option<[u32; 3]> {
        self.flip()
            .then(|| [self.bits() as u32, 1, self.bits() as u32 >> 20])
    }

    fn object_kind(&mut self) -> ObjectKind {
        let param = self.bits() as u32;
        let size = self.bits();
        match self.below(6) {
            0 => ObjectKind::Buffer {
                param,
                space: self.pick(&Space::NAMES).0,
            },
            1 => ObjectKind::LocalArg { param },
            2 => ObjectKind::StructArg { param, size },
            3 => ObjectKind::Local { size },
            4 => ObjectKind::Private { size },
            _ => ObjectKind::Table {
                bytes: (0..self.below(9)).map(|_| self.bits() as u8).collect(),
            },
        }
    }

    fn param_kind(&mut self, objects: &[Object]) -> ParamKind {
        let object = self.pick(objects);
        match self.below(4) {
            0 => ParamKind::Value(self.element()),
            1 => ParamKind::Struct { object },
            2 => ParamKind::Local {
                object,
                pointee: self.pointee(),
            },
            _ => ParamKind::Buffer {
                object,
                pointee: self.pointee(),
            },
        }
    }

    fn header(&mut self) -> Kernel {
        let mut kernel = Kernel::new(self.text());
        kernel.files = (0..self.below(4)).map(|_| self.text()).collect();
        kernel.work_group_size.required = self.size();
        kernel.work_group_size.hint = self.size();
        for _ in 0..1 + self.below(6) {
            let data = ObjectData {
                name: self.text(),
                kind: self.object_kind(),
                align: self.bits() as u32,
                attributes: MemoryAttributes {
                    banks: self.flip().then(|| self.bits() as u32),
                    bank_bytes: self.flip().then(|| self.bits() as u32),
                    location: self.flip().then(|| self.text()),
                },
            };
            kernel.objects.push(data);
        }
        let objects: Vec<Object> = kernel.objects.keys().collect();
        for _ in 0..self.below(5) {
            kernel.params.push(Param {
                name: self.text(),
                type_name: self.text(),
                qualifiers: Qualifiers {
                    is_const: self.flip(),
                    is_restrict: self.flip(),
                    is_volatile: self.flip(),
                },
                kind: self.param_kind(&objects),
            });
        }
        kernel
    }

    fn loc(&mut self) -> Loc {
        let bits = self.bits();
        let loc = Loc {
            file: bits as u16,
            column: (bits >> 16) as u16,
            line: (bits >> 32) as u32,
        };
        match self.below(3) {
            0 => Loc::default(),
            1 => Loc { file: 0, ..loc },
            _ => loc,
        }
    }

    fn access(&mut self) -> Access {
        Access {
            ty: self.ty(),
            lanes: self.below(17) as u8,
            align: self.bits() as u32,
            volatile: self.flip(),
            unit: match self.below(6) {
                0 => None,
                at => MemoryUnit::ALL.get(at - 1).copied(),
            },
            lag: self.bits() as u8,
        }
    }

    fn fences(&mut self) -> Fences {
        Fences {
            local: self.flip(),
            global: self.flip(),
        }
    }

    fn objects(&mut self, kernel: &Kernel) -> ObjectSet {
        kernel.objects.keys().filter(|_| self.flip()).collect()
    }

    fn block_call(&mut self, kernel: &Kernel) -> BlockCall {
        BlockCall {
            block: self.pick(kernel.layout()),
            args: (0..self.below(4)).map(|_| any()).collect(),
        }
    }

    /// Any instruction; its operands are filled in when all values exist.
    fn inst(&mut self, kernel: &Kernel) -> InstData {
        match self.below(21) {
            0 => InstData::Arg {
                param: self.bits() as u32,
                lane: self.below(16) as u8,
            },
            1 => InstData::Addr(self.pick(&kernel.objects.keys().collect::<Vec<_>>())),
            2 => InstData::Query {
                query: self.pick(Query::ALL),
                dim: self.below(3) as u8,
            },
            3 => InstData::Unary {
                op: self.pick(UnaryOp::ALL),
                arg: any(),
            },
            4 => InstData::Binary {
                op: self.pick(BinaryOp::ALL),
                args: [any(); 2],
            },
            5 => InstData::Ternary {
                op: self.pick(TernaryOp::ALL),
                args: [any(); 3],
            },
            20 => {
                let op = self.pick(&Elementary::all().collect::<Vec<_>>());
                let args = (0..op.operands()).map(|_| any()).collect();
                InstData::Elementary { op, args }
            }
            6 => InstData::Select {
                cond: any(),
                args: [any(); 2],
            },
            7 => InstData::Compare {
                pred: self.pick(Predicate::ALL),
                args: [any(); 2],
            },
            8 => InstData::Cast {
                op: self.pick(CastOp::ALL),
                arg: any(),
            },
            9 => InstData::PtrAdd {
                base: any(),
                offset: any(),
            },
            10..=13 => self.memory_inst(kernel),
            14 => InstData::Barrier(self.fences()),
            15 => InstData::Fence(self.fences()),
            16 => InstData::Printf {
                format: self.text().into(),
                args: (0..self.below(6)).map(|_| any()).collect(),
            },
            17 => InstData::Jump(self.block_call(kernel)),
            18 => InstData::Branch {
                cond: any(),
                targets: [self.block_call(kernel), self.block_call(kernel)],
            },
            _ => InstData::Return,
        }
    }

    fn memory_inst(&mut self, kernel: &Kernel) -> InstData {
        let objects = self.objects(kernel);
        let guard = (self.below(3) == 0).then(any);
        match self.below(4) {
            0 => InstData::Load {
                ptr: any(),
                access: self.access(),
                objects,
                guard,
            },
            1 => InstData::Store {
                ptr: any(),
                values: (0..self.below(6)).map(|_| any()).collect(),
                access: self.access(),
                objects,
                guard,
            },
            2 => InstData::AtomicRmw {
                op: self.pick(AtomicOp::ALL),
                ptr: any(),
                value: any(),
                objects,
                guard,
            },
            _ => InstData::CmpXchg {
                ptr: any(),
                expected: any(),
                new: any(),
                objects,
                guard,
            },
        }
    }

    fn constant(&mut self, ty: Type) -> InstData {
        // Few bits set, or an exponent of all ones, are the cases that a printer gets wrong.
        let bits = match self.below(3) {
            0 => self.bits() >> self.below(64),
            1 => u64::MAX << self.below(64),
            _ => self.bits(),
        };
        InstData::Const(bits & ty.mask())
    }

    fn name(&mut self, kernel: &mut Kernel, value: Value) {
        if self.flip() {
            let name = self.text();
            kernel.set_value_name(value, &name);
        }
    }

    fn hints(&mut self) -> LoopHints {
        let independence = Independence {
            array: self.flip().then(|| self.text()),
            safe_length: self.flip().then(|| self.below(9) as u32),
            conflict: self.flip().then(|| Conflict::ALL[self.below(3)]),
        };
        LoopHints {
            independence: vec![independence; self.below(3)],
            interval: self.flip().then(|| self.below(9) as u32),
            pipelining: self.pick(&[None, Some(Pipelining::Wanted), Some(Pipelining::Never)]),
            unroll: self.pick(&[None, Some(Unroll::Full), Some(Unroll::By(4))]),
            coalesce: self.pick(&[None, Some(Coalesce::All), Some(Coalesce::Levels(2))]),
            concurrency: self.flip().then(|| self.below(9) as u32),
            work_items: self.flip(),
        }
    }

    fn block(&mut self, kernel: &mut Kernel, block: Block) {
        if self.flip() {
            kernel.block_mut(block).hints = self.hints();
        }
        for _ in 0..self.below(4) {
            let ty = self.ty();
            let param = kernel.add_block_param(block, ty);
            self.name(kernel, param);
        }
        for _ in 0..self.below(20) {
            let types: Vec<Type> = (0..self.below(4)).map(|_| self.ty()).collect();
            let data = match types[..] {
                [ty] if self.flip() => self.constant(ty),
                _ => self.inst(kernel),
            };
            let loc = self.loc();
            let inst = kernel.append(block, data, &types, loc);
            for value in kernel.results(inst).to_vec() {
                self.name(kernel, value);
            }
        }
    }

    /// A kernel that is numbered in layout order.
    fn kernel(&mut self) -> Kernel {
        let mut kernel = self.header();
        let blocks: Vec<Block> = (0..1 + self.below(6)).map(|_| kernel.add_block()).collect();
        let value = kernel.add_block_param(blocks[0], Type::I32);
        self.name(&mut kernel, value);
        for block in blocks {
            self.block(&mut kernel, block);
        }
        let values: Vec<Value> = (0..kernel.num_values() as u32)
            .map(Value::from_u32)
            .collect();
        kernel.map_operands(|_| self.pick(&values));
        kernel
    }
}

/// Stands for an operand that is chosen later.
fn any() -> Value {
    Value::from_u32(0)
}

#[test]
fn compact_kernels_survive_print_and_parse() {
    for seed in 1..=500 {
        let kernel = Random(seed).kernel();
        let text = kernel.to_string();
        let parsed = parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert!(parsed == kernel, "seed {seed}:\n{text}");
    }
}

#[test]
fn other_kernels_become_compact() {
    for seed in 1..=200 {
        let mut random = Random(seed);
        let mut kernel = random.kernel();
        // Leave holes in the numbering of values and instructions, and put blocks out of order.
        kernel.make_inst(InstData::Return, &[Type::I32, Type::F32], Loc::default());
        let last = kernel.add_block();
        let late = kernel.append(last, InstData::Const(1), &[Type::BOOL], Loc::default());
        let first = kernel.entry();
        kernel.block_mut(last).insts.clear();
        kernel.block_mut(first).insts.insert(0, late);
        kernel.append(last, InstData::Return, &[], Loc::default());
        kernel.retain_blocks(|&block| block != last);

        let parsed = parse(&kernel.to_string()).unwrap();
        assert!(parsed != kernel, "seed {seed}: the kernel was compact");
        kernel.compact();
        assert!(parsed == kernel, "seed {seed}:\n{kernel}");
    }
}

/// Leaves one terminator in each block, so that the verifier looks at the instructions.
fn straighten(kernel: &mut Kernel) {
    let blocks = kernel.layout().to_vec();
    for (at, &block) in blocks.iter().enumerate() {
        let mut insts = std::mem::take(&mut kernel.block_mut(block).insts);
        insts.retain(|&inst| !kernel.inst(inst).is_terminator());
        kernel.block_mut(block).insts = insts;
        let end = match blocks.get(at + 1) {
            None => InstData::Return,
            Some(&block) => InstData::Jump(BlockCall {
                block,
                args: kernel.block(block).params.iter().copied().collect(),
            }),
        };
        kernel.append(block, end, &[], Loc::default());
    }
}

#[test]
fn the_verifier_refuses_random_kernels_with_an_error() {
    let mut rules = std::collections::BTreeSet::new();
    for seed in 1..=500 {
        let mut kernel = Random(seed).kernel();
        for _ in 0..2 {
            let errors = verify(&kernel).expect_err("the entry block has a parameter");
            rules.extend(errors.0.iter().map(|error| error.rule));
            straighten(&mut kernel);
        }
    }
    // It got as far as the operations and found each kind of mistake there.
    assert!((10..=18).all(|rule| rules.contains(&rule)), "{rules:?}");
}
