//! Names of overloaded functions, as far as OpenCL C's builtins need them: `_Z5clampDv4_fff` is
//! `clamp(float4, float, float)`.

/// A parameter's type as its mangled name spells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// A number: its mangled letter or letters.
    Scalar(&'static str),
    /// Elements of one type.
    Vector(u32, Box<Type>),
    /// Address space, const, volatile, restrict, _Atomic: the mangled prefix.
    Qualified(String, Box<Type>),
    Pointer(Box<Type>),
    /// Events, images, samplers, enumerations, structures.
    Named(String),
}

/// A function's name and parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    pub name: String,
    pub parameters: Vec<Type>,
}

const SCALARS: [&str; 13] = [
    "c", "a", "h", "s", "t", "i", "j", "l", "m", "f", "d", "b", "v",
];

impl Signature {
    /// Reads a mangled name; `None` for names that are not mangled or hold what builtins never have.
    pub(crate) fn parse(symbol: &str) -> Option<Signature> {
        let mut parser = Parser {
            rest: symbol.strip_prefix("_Z")?,
            seen: Vec::new(),
        };
        let name = parser.name()?;
        let mut parameters = Vec::new();
        while !parser.rest.is_empty() {
            parameters.push(parser.type_()?);
        }
        Some(Signature { name, parameters })
    }

    /// The mangled name. Holds for signatures of scalars and at most one pointer, where no type repeats that
    /// would be abbreviated.
    pub(crate) fn mangled(&self) -> String {
        let mut symbol = format!("_Z{}{}", self.name.len(), self.name);
        for parameter in &self.parameters {
            parameter.mangle(&mut symbol);
        }
        symbol
    }

    /// The signature of one lane: every vector replaced by its element.
    pub(crate) fn lane(&self) -> Signature {
        Signature {
            name: without_width(&self.name),
            parameters: self.parameters.iter().map(Type::lane).collect(),
        }
    }
}

/// `convert_uchar4_sat` is lane by lane `convert_uchar_sat`. No other name spells the width.
fn without_width(name: &str) -> String {
    let Some(conversion) = name.strip_prefix("convert_") else {
        return name.to_owned();
    };
    let (target, mode) = conversion.split_at(conversion.find('_').unwrap_or(conversion.len()));
    format!(
        "convert_{}{mode}",
        target.trim_end_matches(|c: char| c.is_ascii_digit())
    )
}

impl Type {
    fn lane(&self) -> Type {
        match self {
            Type::Vector(_, element) => (**element).clone(),
            Type::Pointer(pointee) => Type::Pointer(Box::new(pointee.lane())),
            Type::Qualified(qualifiers, inner) => {
                Type::Qualified(qualifiers.clone(), Box::new(inner.lane()))
            }
            Type::Scalar(_) | Type::Named(_) => self.clone(),
        }
    }

    fn mangle(&self, symbol: &mut String) {
        match self {
            Type::Scalar(letters) => symbol.push_str(letters),
            Type::Vector(width, element) => {
                symbol.push_str(&format!("Dv{width}_"));
                element.mangle(symbol);
            }
            Type::Qualified(qualifiers, inner) => {
                symbol.push_str(qualifiers);
                inner.mangle(symbol);
            }
            Type::Pointer(pointee) => {
                symbol.push('P');
                pointee.mangle(symbol);
            }
            Type::Named(name) => symbol.push_str(&format!("{}{name}", name.len())),
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
    /// Types that `S_`, `S0_`, ... refer back to.
    seen: Vec<Type>,
}

impl<'a> Parser<'a> {
    fn take(&mut self, prefix: &str) -> Option<&'a str> {
        let (taken, rest) = self.rest.split_at_checked(prefix.len())?;
        (taken == prefix).then(|| {
            self.rest = rest;
            taken
        })
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self
            .rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        number.parse().ok()
    }

    fn name(&mut self) -> Option<String> {
        let length = self.number()?;
        let (name, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(name.to_owned())
    }

    fn remember(&mut self, type_: Type) -> Type {
        self.seen.push(type_.clone());
        type_
    }

    fn type_(&mut self) -> Option<Type> {
        if self.take("S").is_some() {
            return self.substitution();
        }
        if self.take("Dv").is_some() {
            let width = u32::try_from(self.number()?).ok()?;
            self.take("_")?;
            let element = Box::new(self.type_()?);
            return Some(self.remember(Type::Vector(width, element)));
        }
        if self.take("Dh").is_some() {
            return Some(Type::Scalar("Dh"));
        }
        if self.take("P").is_some() {
            let pointee = Box::new(self.type_()?);
            return Some(self.remember(Type::Pointer(pointee)));
        }
        if let Some(scalar) = SCALARS
            .iter()
            .find(|letter| self.rest.starts_with(**letter))
        {
            self.take(scalar)?;
            return Some(Type::Scalar(scalar));
        }
        let qualifiers = self.qualifiers()?;
        if !qualifiers.is_empty() {
            let inner = Box::new(self.type_()?);
            return Some(self.remember(Type::Qualified(qualifiers, inner)));
        }
        let name = self.name()?;
        Some(self.remember(Type::Named(name)))
    }

    /// All qualifiers of one type count as one step for back references; `_Atomic` is a type of its own.
    fn qualifiers(&mut self) -> Option<String> {
        if self.rest.starts_with("U7_Atomic") {
            return self.take("U7_Atomic").map(str::to_owned);
        }
        let mut qualifiers = String::new();
        loop {
            if self.rest.starts_with("U7_Atomic") {
                return Some(qualifiers);
            }
            if self.take("U").is_some() {
                let name = self.name()?;
                qualifiers.push_str(&format!("U{}{name}", name.len()));
            } else if let Some(letter) = ["r", "V", "K"]
                .into_iter()
                .find(|letter| self.rest.starts_with(letter))
            {
                self.take(letter)?;
                qualifiers.push_str(letter);
            } else {
                return Some(qualifiers);
            }
        }
    }

    /// `S_` is the first type remembered, `S0_` the second, in base 36.
    fn substitution(&mut self) -> Option<Type> {
        let (digits, rest) = self.rest.split_once('_')?;
        self.rest = rest;
        let index = if digits.is_empty() {
            0
        } else {
            usize::from_str_radix(digits, 36).ok()? + 1
        };
        self.seen.get(index).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane_of(symbol: &str) -> String {
        Signature::parse(symbol)
            .expect("a mangled name")
            .lane()
            .mangled()
    }

    #[test]
    fn repeated_vectors_are_abbreviated_and_resolved() {
        assert_eq!(lane_of("_Z5clampDv4_fS_S_"), "_Z5clampfff");
        assert_eq!(lane_of("_Z5clampDv4_fff"), "_Z5clampfff");
        assert_eq!(lane_of("_Z6selectDv2_dS_Dv2_l"), "_Z6selectddl");
    }

    #[test]
    fn pointers_keep_their_address_space() {
        assert_eq!(lane_of("_Z5fractDv4_fPU3AS1S_"), "_Z5fractfPU3AS1f");
        assert_eq!(lane_of("_Z6remquoDv4_fS_PDv4_i"), "_Z6remquoffPi");
    }

    #[test]
    fn conversions_lose_the_width_of_their_name() {
        assert_eq!(
            lane_of("_Z22convert_uchar4_sat_rteDv4_Dh"),
            "_Z21convert_uchar_sat_rteDh"
        );
        assert_eq!(lane_of("_Z14convert_long16Dv16_f"), "_Z12convert_longf");
    }

    #[test]
    fn atomics_and_enumerations_are_read() {
        let symbol = "_Z25atomic_fetch_add_explicitPU3AS4VU7_Atomicii12memory_order12memory_scope";
        assert_eq!(lane_of(symbol), symbol);
    }
}
