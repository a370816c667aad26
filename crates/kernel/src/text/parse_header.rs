//! The header: what the host and the memory system know of the kernel.

use super::cursor::TABLE_BYTES;
use super::element::element_from_name;
use super::parse::{Parser, undefined};
use crate::ir::{
    MemoryAttributes, Object, ObjectData, ObjectKind, Param, ParamKind, Pointee, Qualifiers,
    Reassociation, Subnormals, VariablePointer, Variables,
};
use crate::lanes::CHOICES;
use sluice_circuit::text::{ParseError, Pos, Token};

impl Parser<'_> {
    /// The `kernel` line and the lines up to the opening brace, which may be in any order.
    pub fn header(&mut self) -> Result<(), ParseError> {
        self.cursor.keyword("kernel")?;
        self.kernel.name = self.cursor.text("the kernel's name as a string")?;
        self.cursor.end_of_line()?;
        let mut object_uses = Vec::new();
        while *self.cursor.peek() != Token::Punct('{') {
            self.header_line(&mut object_uses)?;
            self.cursor.end_of_line()?;
        }
        self.resolve_params(&object_uses)
    }

    fn header_line(&mut self, object_uses: &mut Vec<(u32, Pos)>) -> Result<(), ParseError> {
        let what = "`file`, `required_size`, `size_hint`, `lanes`, `vec_type_hint`, `subnormals`, `reassociation`, `param`, `variables`, `object` or `{`";
        let pos = self.cursor.pos();
        match self.cursor.word(what, Some)? {
            "file" => {
                let file = self.cursor.text("a file name as a string")?;
                self.kernel.files.push(file);
            }
            "required_size" => {
                let size = self.size()?;
                if self.kernel.work_group_size.required.replace(size).is_some() {
                    return Err(pos.error("`required_size` is given twice"));
                }
            }
            "size_hint" => {
                let size = self.size()?;
                if self.kernel.work_group_size.hint.replace(size).is_some() {
                    return Err(pos.error("`size_hint` is given twice"));
                }
            }
            "lanes" => {
                let lanes: u32 = self.cursor.number("a number of work-items")?;
                if !CHOICES.contains(&lanes) {
                    return Err(pos.error("a token has 1, 2, 4, 8 or 16 work-items"));
                }
                if self.kernel.lanes.replace(lanes).is_some() {
                    return Err(pos.error("`lanes` is given twice"));
                }
            }
            "vec_type_hint" => {
                let element = self.cursor.word("an OpenCL type", element_from_name)?;
                if self.kernel.vec_type_hint.replace(element).is_some() {
                    return Err(pos.error("`vec_type_hint` is given twice"));
                }
            }
            "subnormals" => {
                self.cursor.keyword("flushed")?;
                if self.kernel.subnormals == Subnormals::Flushed {
                    return Err(pos.error("`subnormals` is given twice"));
                }
                self.kernel.subnormals = Subnormals::Flushed;
            }
            "reassociation" => {
                self.cursor.keyword("allowed")?;
                if self.kernel.reassociation == Reassociation::Allowed {
                    return Err(pos.error("`reassociation` is given twice"));
                }
                self.kernel.reassociation = Reassociation::Allowed;
            }
            "param" => {
                let param = self.param(object_uses)?;
                self.kernel.params.push(param);
            }
            "variables" => {
                let variables = self.variables()?;
                if self.kernel.variables.replace(variables).is_some() {
                    return Err(pos.error("`variables` is given twice"));
                }
            }
            "object" => self.object_declaration()?,
            other => return Err(pos.error(format!("expected {what}, found `{other}`"))),
        }
        Ok(())
    }

    /// `size 16 x"05000000" pointer 8 0`
    fn variables(&mut self) -> Result<Variables, ParseError> {
        let mut variables = Variables {
            size: self.object_size()?,
            bytes: self.cursor.bytes(TABLE_BYTES)?,
            pointers: Vec::new(),
        };
        while self.cursor.eat_word("pointer") {
            variables.pointers.push(VariablePointer {
                at: self.cursor.number("where the pointer is, in bytes")?,
                target: match self.cursor.peek() {
                    Token::Number(_) => Some(self.cursor.number("where it points to, in bytes")?),
                    _ => None,
                },
            });
        }
        Ok(variables)
    }

    fn size(&mut self) -> Result<[u32; 3], ParseError> {
        let mut size = [0; 3];
        for (at, extent) in size.iter_mut().enumerate() {
            if at > 0 {
                self.cursor.punct(',')?;
            }
            *extent = self.cursor.number("a number of work-items")?;
        }
        Ok(size)
    }

    /// `"x" "float*" const restrict buffer m0 float`
    fn param(&mut self, object_uses: &mut Vec<(u32, Pos)>) -> Result<Param, ParseError> {
        let name = self.cursor.text("the parameter's name as a string")?;
        let type_name = self.cursor.text("the parameter's type as a string")?;
        let mut qualifiers = Qualifiers::default();
        loop {
            let flag = match self.cursor.peek() {
                Token::Word("const") => &mut qualifiers.is_const,
                Token::Word("restrict") => &mut qualifiers.is_restrict,
                Token::Word("volatile") => &mut qualifiers.is_volatile,
                _ => break,
            };
            *flag = true;
            self.cursor.advance();
        }
        Ok(Param {
            name,
            type_name,
            qualifiers,
            kind: self.param_kind(object_uses)?,
        })
    }

    fn param_kind(&mut self, object_uses: &mut Vec<(u32, Pos)>) -> Result<ParamKind, ParseError> {
        let what = "`value`, `buffer`, `local`, `struct` or `variables`";
        let pos = self.cursor.pos();
        let kind = self.cursor.word(what, Some)?;
        if kind == "value" {
            let element = self.cursor.word("an OpenCL type", element_from_name)?;
            return Ok(ParamKind::Value(element));
        }
        if !["buffer", "local", "struct", "variables"].contains(&kind) {
            return Err(pos.error(format!("expected {what}, found `{kind}`")));
        }
        let (number, pos) = self.cursor.reference('m', "an object such as `m0`")?;
        object_uses.push((number, pos));
        let object = Object::from_u32(number);
        match kind {
            "struct" => return Ok(ParamKind::Struct { object }),
            "variables" => return Ok(ParamKind::Variables { object }),
            _ => {}
        }
        let pointee = self.pointee()?;
        Ok(match kind {
            "buffer" => ParamKind::Buffer { object, pointee },
            _ => ParamKind::Local { object, pointee },
        })
    }

    fn pointee(&mut self) -> Result<Pointee, ParseError> {
        if self.cursor.eat_word("opaque") {
            return Ok(Pointee::Opaque(self.cursor.number("a size in bytes")?));
        }
        let element = self
            .cursor
            .word("an OpenCL type or `opaque`", element_from_name)?;
        Ok(Pointee::Element(element))
    }

    /// `m0 "x" buffer 1 global align 4`
    fn object_declaration(&mut self) -> Result<(), ParseError> {
        let (number, pos) = self.cursor.reference('m', "an object such as `m0`")?;
        let name = self.cursor.text("the object's name as a string")?;
        let (kind, align, attributes) = self.object_kind()?;
        let object = self.kernel.objects.push(ObjectData {
            name,
            kind,
            align,
            attributes,
        });
        match self.objects.insert(number, object) {
            None => Ok(()),
            Some(_) => Err(pos.error(format!("m{number} is defined twice"))),
        }
    }

    fn object_kind(&mut self) -> Result<(ObjectKind, u32, MemoryAttributes), ParseError> {
        let what =
            "`buffer`, `local_arg`, `struct_arg`, `local`, `local_per_item`, `private` or `table`";
        let pos = self.cursor.pos();
        let kind = match self.cursor.word(what, Some)? {
            "buffer" => ObjectKind::Buffer {
                param: self.param_index()?,
                space: self.cursor.space()?,
            },
            "local_arg" => ObjectKind::LocalArg {
                param: self.param_index()?,
            },
            "struct_arg" => ObjectKind::StructArg {
                param: self.param_index()?,
                size: self.object_size()?,
            },
            "local" => ObjectKind::Local {
                size: self.object_size()?,
            },
            "local_per_item" => ObjectKind::LocalPerItem {
                bytes: self.object_size()?,
            },
            "private" => ObjectKind::Private {
                size: self.object_size()?,
            },
            "table" => {
                let align = self.align()?;
                let attributes = self.attributes()?;
                let bytes = self.cursor.bytes(TABLE_BYTES)?;
                return Ok((ObjectKind::Table { bytes }, align, attributes));
            }
            other => return Err(pos.error(format!("expected {what}, found `{other}`"))),
        };
        Ok((kind, self.align()?, self.attributes()?))
    }

    /// `banks 8 bank_bytes 4 location "DDR"`, or nothing.
    fn attributes(&mut self) -> Result<MemoryAttributes, ParseError> {
        let mut attributes = MemoryAttributes::default();
        if self.cursor.eat_word("banks") {
            attributes.banks = Some(self.cursor.number("a number of banks")?);
        }
        if self.cursor.eat_word("bank_bytes") {
            attributes.bank_bytes = Some(self.cursor.number("a number of bytes")?);
        }
        if self.cursor.eat_word("location") {
            attributes.location = Some(self.cursor.text("the name of a memory")?);
        }
        Ok(attributes)
    }

    fn param_index(&mut self) -> Result<u32, ParseError> {
        self.cursor.number("a parameter's index")
    }

    fn object_size(&mut self) -> Result<u64, ParseError> {
        self.cursor.keyword("size")?;
        self.cursor.number("a size in bytes")
    }

    /// `align 4`
    pub fn align(&mut self) -> Result<u32, ParseError> {
        self.cursor.keyword("align")?;
        self.cursor.number("an alignment in bytes")
    }

    /// Parameters precede their objects in the text: replaces the objects as written.
    fn resolve_params(&mut self, object_uses: &[(u32, Pos)]) -> Result<(), ParseError> {
        for &(number, pos) in object_uses {
            if !self.objects.contains_key(&number) {
                return Err(undefined(pos, 'm', number));
            }
        }
        for param in &mut self.kernel.params {
            match &mut param.kind {
                ParamKind::Value(_) => {}
                ParamKind::Buffer { object, .. }
                | ParamKind::Local { object, .. }
                | ParamKind::Variables { object }
                | ParamKind::Struct { object } => *object = self.objects[&object.as_u32()],
            }
        }
        Ok(())
    }
}
