//! Stable codes of the PTX front end, 0100 to 0299.

/// A code, the number of the wrong operand or its place, and a message.
pub(crate) type Finding = (raddle_diag::Code, usize, String);

raddle_diag::codes! {
    /// Every code of this crate with its explanation.
    pub static CODES = [
        Input E0100 = 100, "unexpected character",
            "PTX source is ASCII text (PTX ISA 9.0, 4.1). Outside strings and comments only the characters of names,\nnumbers and punctuation are allowed. A NUL byte or a byte above 127 usually means that the file is not PTX.";
        Input E0101 = 101, "syntax error",
            "The text at the caret does not fit the grammar of PTX (PTX ISA 9.0, section 4). The message says what was\nexpected there.";
        Input E0102 = 102, "unterminated comment or string",
            "A comment opened by /* or a string opened by a double quote reaches the end of the file.";
        Input E0103 = 103, "malformed number",
            "An integer is decimal, 0x hexadecimal, 0 octal or 0b binary, with an optional U, and fits 64 bits. A floating\npoint number is decimal, 0f with 8 or 0d with 16 hexadecimal digits (PTX ISA 9.0, 4.5).";
        Input E0104 = 104, "missing .version or .target",
            "A module opens with .version and .target, in this order (PTX ISA 9.0, 11.1).";
        Input E0105 = 105, "unsupported PTX version",
            "The PTX version of the module is unknown to Raddle. Versions 1.0 to 9.4 are read.";
        Input E0106 = 106, "unknown target",
            "The architecture of .target is not one that PTX knows (PTX ISA 9.0, 11.1.2).";
        Input E0107 = 107, "target needs a newer PTX version",
            "The architecture of .target was introduced in a PTX version newer than the module's .version.";
        Input E0108 = 108, "unclosed function or block",
            "A brace is not closed before the end of the file or the next function.";
        Input E0109 = 109, "unknown directive",
            "The directive is not known here (PTX ISA 9.0, section 11).";
        Input E0110 = 110, "duplicate definition",
            "The name is already defined in the same scope. A name may be reused in an inner block only.";
        Input E0111 = 111, "unknown symbol",
            "The name is not declared here: registers, variables and functions are declared before they are used.";
        Input E0112 = 112, "unknown label",
            "No label of this name is defined in this block or one around it.";
        Input E0113 = 113, "too deep or too large",
            "Blocks nest deeper, one function has more registers, operands, instructions or text than the tree can number, or\nthe module more variables and functions.";
        Input E0114 = 114, "bad alignment",
            "An alignment is a power of two (PTX ISA 9.0, 5.4.5).";
        Input E0115 = 115, "bad declaration",
            "The declaration is not allowed for its state space or type.";
        Input E0116 = 116, "bad initializer",
            "The initializer does not fit the variable.";
        Input E0117 = 117, "bad performance directive",
            "A value of a performance-tuning directive is out of range, or two directives exclude each other.";
        Input E0120 = 120, "unknown instruction",
            "PTX ISA 9.0 has no instruction of this name.";
        Input E0121 = 121, "unknown modifier",
            "A dotted part of the instruction is neither a type nor a modifier that PTX knows.";
        Input E0122 = 122, "modifiers or types do not fit the instruction",
            "The instruction exists, but no form of it has this combination of modifiers and types.";
        Input E0123 = 123, "operands do not fit the instruction",
            "Number, kind, size or type of an operand is not what this form of the instruction takes (PTX ISA 9.0, 9.4:\nuntyped .bN registers fit every type of their size, signed and unsigned registers fit each other, and only loads,\nstores and conversions take registers wider than the type).";
        Input E0124 = 124, "instruction needs a newer PTX version",
            "The form, or one of its modifiers, needs a PTX version newer than the module's .version.";
        Input E0125 = 125, "instruction not supported on the target",
            "The form, or one of its modifiers, needs another architecture than the module's .target.";
        Input E0126 = 126, "bad call",
            "The arguments of a call do not fit the function's declaration or the prototype.";
        Input E0127 = 127, "immediate out of range",
            "The instruction allows only some values for this immediate operand.";
        Input E0128 = 128, "bad debug section",
            "A debug section holds lists of .b8, .b16, .b32 and .b64 numbers, and labels. A number of 32 or 64 bits may be\nreplaced by the name of a label, variable, function or section, with an addend, or by the difference of two labels of\none section or function (PTX ISA 9.0, 11.5.4). Sections are read with -g.";
        Input E0130 = 130, "too many errors",
            "The function has so many errors that the rest of it was skipped.";
    ];
}
