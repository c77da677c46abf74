//! Writes the first corpus of every target into a folder and prints the targets: `seed CORPUS [TARGET...]`

use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let corpus = words.next().ok_or("seed CORPUS [TARGET...]")?;
    let wanted: Vec<String> = words.collect();
    for target in galvani_fuzz::targets() {
        if !wanted.is_empty() && !wanted.contains(&target.name) {
            continue;
        }
        let folder = Path::new(&corpus).join(&target.name);
        fs::create_dir_all(&folder)?;
        for (name, bytes) in galvani_fuzz::seeds(&target) {
            fs::write(folder.join(name), bytes)?;
        }
        println!("{}", target.name);
    }
    Ok(())
}
