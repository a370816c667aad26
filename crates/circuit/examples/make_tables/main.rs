//! Writes the tables of coefficients that the elementary functions share with their Verilog:
//!
//! ```text
//! cargo run --release -p sluice-circuit --example make_tables
//! ```

mod fit;

use std::fs;
use std::path::Path;

use sluice_circuit::elementary::tables;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/operators/tables");
    for table in tables::ALL {
        let file = table.source.file.strip_prefix("sluice_");
        let file = folder.join(file.expect("modules have the prefix"));
        fs::write(&file, fit::verilog(table)).expect("the folder of tables is writable");
        println!("{}", file.display());
    }
}
