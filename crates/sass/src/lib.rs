//! SASS machine instructions: tables, encoder, decoder, printer, effects and timing facts.
#![forbid(unsafe_code)]
