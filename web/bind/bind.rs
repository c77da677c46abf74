//! Makes a module of JavaScript of WebAssembly: `bind IN.wasm FOLDER`.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder] = words.as_slice() else {
        eprintln!("bind IN.wasm FOLDER");
        return ExitCode::from(2);
    };
    let made = Bindgen::new().input_path(input).web(true).and_then(|it| it.typescript(true).generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
