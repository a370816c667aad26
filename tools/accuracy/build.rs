//! Builds the reference: the C library's functions in double and in binary128.

fn main() {
    println!("cargo::rerun-if-changed=reference");
    cc::Build::new()
        .file("reference/reference.c")
        .flag("-std=gnu17")
        .flag("-O2")
        // The reference rounds as C says.
        .flag("-ffp-contract=off")
        .flag("-Wall")
        .flag("-Wextra")
        .compile("sluice_reference");
    println!("cargo::rustc-link-lib=m");
}
