//! Prints the id of every format of the registry, for `fuzz/run`.

fn main() {
    for format in galvani::formats::FORMATS {
        println!("{}", format.info().id);
    }
}
