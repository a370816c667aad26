//! Random kernels: integer arithmetic of all widths, branches, loops that count and swap, cycles
//! with two entries, private and global memory. Every kernel ends and stays inside its buffers, and inside
//! its private array unless told otherwise.

use sluice_kernel::Kernel;
use sluice_kernel::ir::*;

/// Bytes of the output buffer that belong to one work-item.
pub const ITEM_BYTES: u64 = 256;
/// Number of work-items; a power of two.
pub const ITEMS: u64 = 4;
/// Bytes of the input buffer.
pub const INPUT_BYTES: u64 = 64;

const WIDTHS: [u8; 14] = [1, 2, 3, 5, 8, 13, 16, 31, 32, 32, 33, 48, 63, 64];

/// A reproducible stream of numbers.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A number with the bits that matter at the edges of a type.
    pub fn bits(&mut self) -> u64 {
        match self.below(7) {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << self.below(64),
            3 => (1 << self.below(64)) - 1,
            4 => self.next() % 17,
            5 => (self.next() % 17).wrapping_neg(),
            _ => self.next(),
        }
    }
}

/// How the private array is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrivateAccesses {
    /// Some accesses have a guard.
    pub guarded: bool,
    /// Some addresses are beyond the array, or not aligned.
    pub out_of_bounds: bool,
}

/// Makes the kernel with this seed.
pub fn random_kernel(seed: u64, accesses: PrivateAccesses) -> Kernel {
    let mut maker = Maker::new(seed, accesses);
    let statements = 4 + maker.random.below(8);
    maker.statements(statements, 0);
    maker.finish()
}

struct Maker {
    kernel: Kernel,
    random: Random,
    block: Block,
    /// The integers that can be used here.
    ints: Vec<Value>,
    out: Object,
    input: Object,
    private: Object,
    accesses: PrivateAccesses,
}

impl Maker {
    fn new(seed: u64, accesses: PrivateAccesses) -> Maker {
        let mut kernel = Kernel::new("random");
        let mut objects = ["out", "input"].iter().enumerate().map(|(at, name)| {
            kernel.objects.push(ObjectData {
                name: (*name).into(),
                kind: ObjectKind::Buffer {
                    param: at as u32,
                    space: Space::Global,
                },
                align: 8,
                attributes: MemoryAttributes::default(),
            })
        });
        let (out, input) = (objects.next().unwrap(), objects.next().unwrap());
        let private = kernel.objects.push(ObjectData {
            name: "private".into(),
            kind: ObjectKind::Private { size: 64 },
            align: 8,
            attributes: MemoryAttributes::default(),
        });
        let long = Element {
            scalar: Scalar::Signed(64),
            lanes: 1,
        };
        let int = Element {
            scalar: Scalar::Signed(32),
            lanes: 1,
        };
        let buffer = |object| ParamKind::Buffer {
            object,
            pointee: Pointee::Element(long),
        };
        let kinds = [
            ("out", buffer(out)),
            ("input", buffer(input)),
            ("n", ParamKind::Value(int)),
            ("m", ParamKind::Value(long)),
        ];
        for (name, kind) in kinds {
            kernel.params.push(Param {
                name: name.into(),
                type_name: name.into(),
                qualifiers: Qualifiers::default(),
                kind,
            });
        }
        let mut random = Random::new(seed);
        if random.one_in(3) {
            kernel.work_group_size.required = Some([2, 1, 1]);
        }
        let block = kernel.add_block();
        let mut maker = Maker {
            kernel,
            random,
            block,
            ints: Vec::new(),
            out,
            input,
            private,
            accesses,
        };
        maker.prologue();
        maker
    }

    fn prologue(&mut self) {
        let n = self.value(InstData::Arg { param: 2, lane: 0 }, Type::I32);
        let m = self.value(InstData::Arg { param: 3, lane: 0 }, Type::I64);
        self.ints.extend([n, m]);
        // Slots are for kernels that are laid out.
        let is_slot = |query: &&Query| matches!(query, Query::ItemSlot | Query::GroupSlot);
        for &query in Query::ALL.iter().filter(|query| !is_slot(query)) {
            let dim = match query {
                Query::WorkDim => 0,
                _ => self.random.below(2) as u8,
            };
            let ty = Type::Int(self.random.pick(&[64, 64, 32, 40, 16, 3]));
            let value = self.value(InstData::Query { query, dim }, ty);
            self.ints.push(value);
        }
        for at in 0..8 {
            let value = self.int(Type::I64);
            let offset = self.constant(Type::I64, at * 8);
            let base = self.value(InstData::Addr(self.private), Type::Ptr(Space::Private));
            self.store(base, offset, value, self.private);
        }
    }

    fn value(&mut self, data: InstData, ty: Type) -> Value {
        self.kernel
            .append_value(self.block, data, ty, Loc::default())
    }

    fn effect(&mut self, data: InstData) {
        self.kernel.append(self.block, data, &[], Loc::default());
    }

    fn constant(&mut self, ty: Type, bits: u64) -> Value {
        self.value(InstData::Const(bits & ty.mask()), ty)
    }

    fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let ty = self.kernel.ty(a);
        self.value(InstData::Binary { op, args: [a, b] }, ty)
    }

    fn width(&mut self) -> Type {
        Type::Int(self.random.pick(&WIDTHS))
    }

    /// Some integer of this type.
    fn int(&mut self, ty: Type) -> Value {
        if self.ints.is_empty() || self.random.one_in(5) {
            let bits = self.random.bits();
            return self.constant(ty, bits);
        }
        // Recent values make deeper expressions.
        let recent = self
            .ints
            .len()
            .min(if self.random.one_in(2) { 6 } else { 100 });
        let at = self.ints.len() - 1 - self.random.below(recent);
        self.converted(self.ints[at], ty)
    }

    fn converted(&mut self, arg: Value, ty: Type) -> Value {
        let from = self.kernel.ty(arg);
        let op = match from.bits().cmp(&ty.bits()) {
            std::cmp::Ordering::Equal => return arg,
            std::cmp::Ordering::Greater => CastOp::Trunc,
            std::cmp::Ordering::Less => self.random.pick(&[CastOp::Zext, CastOp::Sext]),
        };
        self.value(InstData::Cast { op, arg }, ty)
    }

    fn cond(&mut self) -> Value {
        let pred = self.int_predicate();
        let ty = self.width();
        let args = [self.int(ty), self.int(ty)];
        self.value(InstData::Compare { pred, args }, Type::BOOL)
    }

    fn int_predicate(&mut self) -> Predicate {
        use Predicate::*;
        self.random.pick(&[Eq, Ne, Ult, Ule, Slt, Sle])
    }

    fn statements(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            match self.random.below(if depth < 3 { 17 } else { 12 }) {
                0..=8 => {
                    let value = self.expression();
                    self.ints.push(value);
                }
                9 | 10 => self.private_access(),
                11 => self.buffer_access(),
                12 | 13 => self.branch(depth),
                14 | 15 => self.counting_loop(depth),
                _ => self.two_entry_cycle(),
            }
        }
    }

    fn expression(&mut self) -> Value {
        let ty = self.width();
        match self.random.below(12) {
            0..=6 => {
                let ops: Vec<BinaryOp> = BinaryOp::ALL
                    .iter()
                    .copied()
                    .filter(|op| !op.is_float())
                    .collect();
                let op = self.random.pick(&ops);
                let (a, b) = (self.int(ty), self.int(ty));
                self.binary(op, a, b)
            }
            7 => {
                let cond = self.cond();
                let args = [self.int(ty), self.int(ty)];
                self.value(InstData::Select { cond, args }, ty)
            }
            8 => self.cond(),
            9 => self.unary(ty),
            10 => {
                let op = self
                    .random
                    .pick(&[TernaryOp::FunnelShl, TernaryOp::FunnelShr]);
                let args = [self.int(ty), self.int(ty), self.int(ty)];
                self.value(InstData::Ternary { op, args }, ty)
            }
            _ => self.through_float(ty),
        }
    }

    fn unary(&mut self, ty: Type) -> Value {
        use UnaryOp::*;
        let mut op = self
            .random
            .pick(&[Clz, Ctz, Popcount, BitReverse, ByteSwap]);
        if op == ByteSwap && !ty.bits().is_multiple_of(16) {
            op = Popcount;
        }
        let arg = self.int(ty);
        self.value(InstData::Unary { op, arg }, ty)
    }

    fn through_float(&mut self, ty: Type) -> Value {
        let float = self.random.pick(&[Type::F32, Type::F64]);
        let op = self.random.pick(&[CastOp::SiToFp, CastOp::UiToFp]);
        let arg = self.int(ty);
        let mut value = self.value(InstData::Cast { op, arg }, float);
        if self.random.one_in(2) {
            let bits = self.random.next();
            let bits = self.constant(Type::Int(float.bits() as u8), bits);
            let op = CastOp::Bitcast;
            let other = self.value(InstData::Cast { op, arg: bits }, float);
            let op = self
                .random
                .pick(&[BinaryOp::FAdd, BinaryOp::FMul, BinaryOp::FDiv]);
            value = self.binary(op, value, other);
        }
        let op = self.random.pick(&[CastOp::FpToSi, CastOp::FpToUi]);
        let to = self.width();
        self.value(InstData::Cast { op, arg: value }, to)
    }

    /// The address in an object at an offset, and the difference of two addresses as a number.
    fn store(&mut self, base: Value, offset: Value, value: Value, object: Object) {
        let ty = self.kernel.ty(base);
        let ptr = self.value(InstData::PtrAdd { base, offset }, ty);
        let access = Access {
            volatile: self.random.one_in(12),
            ..Access::scalar(self.kernel.ty(value))
        };
        let guard = self.guard(object);
        self.effect(InstData::Store {
            ptr,
            values: [value].into_iter().collect(),
            access,
            objects: [object].into_iter().collect(),
            guard,
        });
    }

    fn guard(&mut self, object: Object) -> Option<Value> {
        let is_guarded = self.accesses.guarded && object == self.private && self.random.one_in(3);
        is_guarded.then(|| self.int(Type::BOOL))
    }

    fn load(&mut self, base: Value, offset: Value, ty: Type, object: Object) -> Value {
        let pointer = self.kernel.ty(base);
        let ptr = self.value(InstData::PtrAdd { base, offset }, pointer);
        let access = Access {
            volatile: self.random.one_in(12),
            ..Access::scalar(ty)
        };
        let guard = self.guard(object);
        let load = InstData::Load {
            ptr,
            access,
            objects: [object].into_iter().collect(),
            guard,
        };
        self.value(load, ty)
    }

    /// A multiple of eight below `bytes`, a power of two, as an offset of some width.
    fn offset(&mut self, bytes: u64) -> Value {
        let ty = Type::Int(self.random.pick(&[16, 32, 64]));
        let index = self.int(ty);
        let mask = self.constant(ty, bytes / 8 - 1);
        let masked = self.binary(BinaryOp::And, index, mask);
        let eight = self.constant(ty, 8);
        self.binary(BinaryOp::Mul, masked, eight)
    }

    /// A number that is most often small, of either sign.
    fn distance(&mut self) -> Value {
        let ty = Type::Int(self.random.pick(&[8, 16, 32, 64]));
        let index = self.int(ty);
        if self.random.one_in(6) {
            return index;
        }
        let mask = self.random.pick(&[0x3f, 0x7c, 0x78]);
        let mask = self.constant(ty, mask);
        let masked = self.binary(BinaryOp::And, index, mask);
        let less = self.random.pick(&[0, 4, 8, 17]);
        let less = self.constant(ty, less);
        self.binary(BinaryOp::Sub, masked, less)
    }

    fn private_access(&mut self) {
        let base = self.value(InstData::Addr(self.private), Type::Ptr(Space::Private));
        let offset = match self.accesses.out_of_bounds && self.random.one_in(2) {
            true => self.distance(),
            false => self.offset(64),
        };
        let ty = self.random.pick(&[Type::I64, Type::I32, Type::Int(8)]);
        if self.random.one_in(2) {
            let value = self.int(ty);
            self.store(base, offset, value, self.private);
        } else {
            let value = self.load(base, offset, ty, self.private);
            self.ints.push(value);
        }
    }

    fn buffer_access(&mut self) {
        if self.random.one_in(3) {
            let base = self.value(InstData::Addr(self.input), Type::Ptr(Space::Global));
            let offset = self.offset(INPUT_BYTES);
            let value = self.load(base, offset, Type::I64, self.input);
            self.ints.push(value);
            return;
        }
        let base = self.item_base();
        // The upper half is for what is left at the end.
        let offset = self.offset(ITEM_BYTES / 2);
        if self.random.one_in(2) {
            let value = self.int(Type::I64);
            self.store(base, offset, value, self.out);
        } else {
            let value = self.load(base, offset, Type::I64, self.out);
            self.ints.push(value);
        }
        if self.random.one_in(4) {
            self.address_difference(base);
        }
    }

    /// How far an arbitrary offset moves a pointer, wherever that is.
    fn address_difference(&mut self, base: Value) {
        let ty = self.width();
        let offset = self.int(ty);
        let space = self.kernel.ty(base);
        let moved = self.value(InstData::PtrAdd { base, offset }, space);
        let [moved, base] = [moved, base].map(|arg| {
            let op = CastOp::PtrToInt;
            self.value(InstData::Cast { op, arg }, Type::I64)
        });
        let difference = self.binary(BinaryOp::Sub, moved, base);
        self.ints.push(difference);
    }

    /// Where this work-item's part of the output begins.
    fn item_base(&mut self) -> Value {
        let query = Query::GlobalId;
        let id = self.value(InstData::Query { query, dim: 0 }, Type::I64);
        let mask = self.constant(Type::I64, ITEMS - 1);
        let id = self.binary(BinaryOp::And, id, mask);
        let bytes = self.constant(Type::I64, ITEM_BYTES);
        let offset = self.binary(BinaryOp::Mul, id, bytes);
        let space = Type::Ptr(Space::Global);
        let base = self.value(InstData::Addr(self.out), space);
        self.value(InstData::PtrAdd { base, offset }, space)
    }

    fn jump(&mut self, block: Block, args: &[Value]) {
        self.effect(InstData::Jump(call(block, args)));
    }

    fn branch_to(&mut self, cond: Value, yes: BlockCall, no: BlockCall) {
        let targets = [yes, no];
        self.effect(InstData::Branch { cond, targets });
    }

    fn branch(&mut self, depth: usize) {
        let cond = self.cond();
        let types: Vec<Type> = (0..self.random.below(4)).map(|_| self.width()).collect();
        let [yes, no, join] = [(); 3].map(|()| self.kernel.add_block());
        self.branch_to(cond, call(yes, &[]), call(no, &[]));
        let outside = self.ints.len();
        for side in [yes, no] {
            self.block = side;
            let count = self.random.below(4);
            self.statements(count, depth + 1);
            let args: Vec<Value> = types.iter().map(|&ty| self.int(ty)).collect();
            self.jump(join, &args);
            self.ints.truncate(outside);
        }
        self.block = join;
        for ty in types {
            let param = self.kernel.add_block_param(join, ty);
            self.ints.push(param);
        }
    }

    /// A loop with a counter, carried values that may swap, an exit test of some form and fuel.
    fn counting_loop(&mut self, depth: usize) {
        let [header, body, exit] = [(); 3].map(|()| self.kernel.add_block());
        let ty = self.width();
        let carried: Vec<Type> = (0..self.random.below(4)).map(|_| self.width()).collect();
        let start = self.int(ty);
        let limit = self.int(ty);
        let fuel = Type::Int(8);
        let fuel_start = self.random.next() % 12;
        let mut args = vec![start, self.constant(fuel, fuel_start)];
        args.extend(carried.iter().map(|&ty| self.int(ty)).collect::<Vec<_>>());
        self.jump(header, &args);
        self.block = header;
        let counter = self.kernel.add_block_param(header, ty);
        let left = self.kernel.add_block_param(header, fuel);
        let params: Vec<Value> = carried
            .iter()
            .map(|&ty| self.kernel.add_block_param(header, ty))
            .collect();
        let zero = self.constant(fuel, 0);
        let pred = Predicate::Ne;
        let args = [left, zero];
        let going = self.value(InstData::Compare { pred, args }, Type::BOOL);
        self.branch_to(going, call(body, &[]), call(exit, &[]));
        let outside = self.ints.len();
        self.block = body;
        self.ints.push(counter);
        self.ints.extend(&params);
        let count = self.random.below(4);
        self.statements(count, depth + 1);
        let step = self.random.pick(&[1, 1, 1, 2, 4, u64::MAX, u64::MAX - 1]);
        let step = self.constant(ty, step);
        let next = self.binary(BinaryOp::Add, counter, step);
        let one = self.constant(fuel, 1);
        let left = self.binary(BinaryOp::Sub, left, one);
        let cond = self.exit_test(counter, next, limit);
        let mut args = vec![next, left];
        let turn = self.random.below(params.len().max(1));
        for (at, &ty) in carried.iter().enumerate() {
            // Often the parameters themselves, in another order.
            let other = params[(at + turn) % params.len()];
            args.push(if self.random.one_in(2) && self.kernel.ty(other) == ty {
                other
            } else {
                self.int(ty)
            });
        }
        let stay = call(header, &args);
        if self.random.one_in(2) {
            self.branch_to(cond, stay, call(exit, &[]));
        } else {
            self.branch_to(cond, call(exit, &[]), stay);
        }
        self.ints.truncate(outside);
        self.ints.push(counter);
        self.ints.extend(params);
        self.block = exit;
    }

    fn exit_test(&mut self, counter: Value, next: Value, limit: Value) -> Value {
        let pred = self.int_predicate();
        let tested = self.random.pick(&[counter, next]);
        let mut args = [tested, limit];
        let bits = self.kernel.ty(tested).bits();
        if bits < 64 && self.random.one_in(3) {
            let op = self.random.pick(&[CastOp::Zext, CastOp::Sext]);
            let wide = Type::Int((bits + 1) as u8 + self.random.below(64 - bits as usize) as u8);
            args = args.map(|arg| self.value(InstData::Cast { op, arg }, wide));
        }
        if self.random.one_in(3) {
            args.reverse();
        }
        self.value(InstData::Compare { pred, args }, Type::BOOL)
    }

    /// Two blocks that go to each other, entered at either.
    fn two_entry_cycle(&mut self) {
        let [left, right, exit] = [(); 3].map(|()| self.kernel.add_block());
        let ty = self.width();
        let fuel = Type::Int(6);
        let cond = self.cond();
        let (a, b) = (self.int(ty), self.int(ty));
        let fuel_start = self.random.next() % 9;
        let fuel_start = self.constant(fuel, fuel_start);
        let entry = [call(left, &[a, fuel_start]), call(right, &[b, fuel_start])];
        let [yes, no] = entry;
        self.branch_to(cond, yes, no);
        let outside = self.ints.len();
        for (side, other) in [(left, right), (right, left)] {
            self.block = side;
            let value = self.kernel.add_block_param(side, ty);
            let count = self.kernel.add_block_param(side, fuel);
            self.ints.push(value);
            let op = self
                .random
                .pick(&[BinaryOp::Add, BinaryOp::Xor, BinaryOp::LShr]);
            let operand = self.int(ty);
            let changed = self.binary(op, value, operand);
            let one = self.constant(fuel, 1);
            let less = self.binary(BinaryOp::Sub, count, one);
            let zero = self.constant(fuel, 0);
            let args = [count, zero];
            let pred = Predicate::Eq;
            let over = self.value(InstData::Compare { pred, args }, Type::BOOL);
            let passed = if self.random.one_in(3) {
                value
            } else {
                changed
            };
            self.branch_to(over, call(exit, &[passed]), call(other, &[passed, less]));
            self.ints.truncate(outside);
        }
        self.block = exit;
        let value = self.kernel.add_block_param(exit, ty);
        self.ints.push(value);
    }

    /// Leaves some values in the output and ends.
    fn finish(mut self) -> Kernel {
        for at in ITEM_BYTES / 16..ITEM_BYTES / 8 {
            let value = self.int(Type::I64);
            let base = self.item_base();
            let offset = self.constant(Type::I64, at * 8);
            self.store(base, offset, value, self.out);
        }
        self.effect(InstData::Return);
        self.kernel.compact();
        self.kernel
    }
}

fn call(block: Block, args: &[Value]) -> BlockCall {
    BlockCall {
        block,
        args: args.into(),
    }
}
