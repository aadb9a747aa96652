//! Reads operands that are addresses.

use anyhow::{Context as _, Result, anyhow, bail};

use crate::operand::{Context, Named, REGISTERS};
use crate::slot::{Kind, NO_BIT};
use crate::table::{Bits, read_bits};

impl Context<'_> {
    /// `[Ra+i@40-63]`, `[Ra.64+Uc+i@40-63]`, `desc[Uc][Ra.64+i@40-63]`, `[Ua]`, `[Ra.{field}+...]`.
    pub(crate) fn address(&self, text: &str) -> Result<Named> {
        if let Some(register) = text.strip_prefix("desc[").and_then(|body| body.strip_suffix(']'))
            && !register.contains(']')
        {
            return self.cache_descriptor(register);
        }
        let role = if self.row.slots.iter().any(|slot| slot.role == "Addr") { "Addr2" } else { "Addr" };
        let (bits, kind) = match text.strip_prefix("gdesc[").and_then(|body| body.strip_suffix(']')) {
            Some(register) => {
                let bits = vec![(uniform_register(register)?, 6)];
                (bits.clone(), Kind::MatrixDescriptor(bits))
            }
            None => self.memory_address(text)?,
        };
        let lowest = 0;
        Ok(Named { kind, bits, role, lowest, is_register: false, is_immediate: true, is_written: false, reuse: NO_BIT })
    }

    /// `desc[U@40]`: a cache policy, beside the addresses.
    fn cache_descriptor(&self, register: &str) -> Result<Named> {
        let bits = vec![(uniform_register(register)?, 6)];
        let kind = Kind::CacheDescriptor(bits.clone());
        let (role, lowest) = ("Rx", 0);
        Ok(Named { kind, bits, role, lowest, is_register: false, is_immediate: true, is_written: false, reuse: NO_BIT })
    }

    fn memory_address(&self, text: &str) -> Result<(Bits, Kind)> {
        let zero = || vec![(0u8, 0u8)];
        let (mut desc, mut base, mut ubase, mut offset) = (zero(), zero(), zero(), zero());
        let mut suffix = "AddrSuffix::Plain".to_owned();
        let mut body = text;
        if let Some(rest) = text.strip_prefix("desc[").or_else(|| text.strip_prefix("desc?[")) {
            let (register, rest) = rest.split_once(']').context("no ]")?;
            (desc, body) = (vec![(uniform_register(register)?, 6)], rest);
        }
        let inner = body.strip_prefix('[').and_then(|body| body.strip_suffix(']'));
        for part in inner.ok_or_else(|| anyhow!("address {text}"))?.split('+') {
            if let Some(bits) = part.strip_prefix("i@") {
                offset = read_bits(bits)?;
            } else if part.starts_with('U') {
                ubase = vec![(uniform_register(part)?, 6)];
            } else if part.starts_with('R') {
                let (register, kind) = part.split_once('.').unwrap_or((part, ""));
                let row = REGISTERS.iter().find(|row| row.0 == register && row.4 != NO_BIT);
                base = vec![(row.with_context(|| format!("base {register}"))?.4, 8)];
                if !kind.is_empty() {
                    suffix = self.address_suffix(kind)?;
                }
            } else {
                bail!("address part {part}");
            }
        }
        let pieces = [&offset, &base, &ubase, &desc].into_iter().flatten();
        let bits = pieces.filter(|bits| bits.1 != 0).copied().collect();
        let hidden = text.starts_with("desc?[");
        Ok((bits, Kind::Address { offset, base, ubase, desc, hidden, suffix }))
    }

    /// What follows the base register of an address, as a Rust expression.
    fn address_suffix(&self, kind: &str) -> Result<String> {
        Ok(match kind {
            "64" => "AddrSuffix::Wide".to_owned(),
            "U32" => "AddrSuffix::U32".to_owned(),
            "S" => "AddrSuffix::Signed".to_owned(),
            field => {
                let field = field.strip_prefix('{').and_then(|field| field.strip_suffix('}')).context("suffix")?;
                let field = self.field(field)?;
                let list = &self.enums[&self.row.fields[field].values].list;
                let size = list.iter().map(|x| x.0).max().unwrap_or(0);
                let mut texts = vec![String::new(); usize::from(size) + 1];
                for (value, token, _) in list.iter().filter(|x| !x.1.is_empty()) {
                    texts[usize::from(*value)] = format!(".{token}");
                }
                format!("AddrSuffix::Field({field}, &{texts:?})")
            }
        })
    }
}

fn uniform_register(name: &str) -> Result<u8> {
    match REGISTERS.iter().find(|row| row.0 == name && row.2 == "UReg" && row.4 != NO_BIT) {
        Some(row) => Ok(row.4),
        None => match name.strip_prefix("U@") {
            Some(bit) => Ok(bit.parse()?),
            None => bail!("uniform register {name}"),
        },
    }
}
