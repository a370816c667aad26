//! Writes the tables of coefficients that the elementary functions share with their Verilog:
//!
//! ```text
//! cargo run --release -p sluice-circuit --example make_tables
//! ```

mod fit;
mod window;

use std::fs;
use std::path::Path;

use sluice_circuit::elementary::{tables, windows};
use sluice_circuit::verilog::Source;

fn main() {
    for table in tables::ALL {
        write(&table.source, &fit::verilog(table));
    }
    for windows in windows::ALL {
        write(&windows.source, &window::verilog(windows));
    }
}

fn write(source: &Source, text: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/operators/tables");
    let file = source.file.strip_prefix("sluice_");
    let file = folder.join(file.expect("modules have the prefix"));
    fs::write(&file, text).expect("the folder of tables is writable");
    println!("{}", file.display());
}
