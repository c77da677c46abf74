//! Options that formats declare, as flags: whatever the registry has, for each ability.

use std::marker::PhantomData;

use clap::builder::{PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use galvani::convert::Writing;
use galvani::formats::{ArgumentKind, ArgumentValue, FORMATS, Info, NamedFile, Setting, Settings};
use galvani::fs::expand;
use galvani::{OpenOptions, fs};

use crate::out;

/// What formats may be told about.
pub(crate) trait Ability {
    /// The options that a format declares for it.
    fn settings_of(info: &'static Info) -> &'static [Setting];
    /// The options that it has whatever the format.
    const GENERAL: &'static [Setting] = &[];
    /// Those of them that mean nothing here.
    const LEFT_OUT: &'static [&'static str] = &[];
    /// Whether every verb takes them.
    const GLOBAL: bool = false;
}

/// Declares abilities by the field of [`Info`] that holds their options.
macro_rules! abilities {
    ($($(#[$doc:meta])* $name:ident = $field:ident $(, $global:ident)?;)*) => {
        $($(#[$doc])*
        #[derive(Debug, Clone)]
        pub(crate) struct $name;

        impl Ability for $name {
            fn settings_of(info: &'static Info) -> &'static [Setting] {
                info.$field
            }
            $(const GLOBAL: bool = { let $global = true; $global };)?
        })*
    };
}

abilities! {
    /// Reading files.
    Reading = reading, global;
    /// Posing.
    Posing = sampling;
    /// Playing.
    Playing = playing;
    /// Pictures.
    Picturing = picturing;
}

/// Models as scenes and glTF.
#[derive(Debug, Clone)]
pub(crate) struct Modelling;

impl Ability for Modelling {
    fn settings_of(info: &'static Info) -> &'static [Setting] {
        info.lifting
    }
    const GENERAL: &'static [Setting] = Writing::SETTINGS;
}

/// Models as scenes that are drawn.
#[derive(Debug, Clone)]
pub(crate) struct Staging;

impl Ability for Staging {
    fn settings_of(info: &'static Info) -> &'static [Setting] {
        info.lifting
    }
    const LEFT_OUT: &'static [&'static str] = galvani::pictures::LEFT_OUT;
}

/// Files made of pictures.
#[derive(Debug, Clone)]
pub(crate) struct Encoding;

impl Ability for Encoding {
    fn settings_of(info: &'static Info) -> &'static [Setting] {
        info.encoding.map_or(&[], |encoding| encoding.settings)
    }
}

/// The options given for an ability.
#[derive(Debug, Clone)]
pub(crate) struct Flags<A>(pub(crate) Settings, PhantomData<A>);

/// An option, and who declares it.
struct Declared {
    setting: &'static Setting,
    /// What it means to whom.
    meanings: Vec<(&'static str, Vec<&'static str>)>,
}

/// Every option of an ability, by name and in the order of formats.
fn declared<A: Ability>() -> Vec<Declared> {
    let mut all: Vec<Declared> = Vec::new();
    for info in FORMATS.iter().map(|format| format.info()) {
        for setting in A::settings_of(info).iter().filter(|it| !A::LEFT_OUT.contains(&it.name)) {
            let Some(known) = all.iter_mut().find(|known| known.setting.name == setting.name) else {
                all.push(Declared { setting, meanings: vec![(setting.help, vec![info.id])] });
                continue;
            };
            match known.meanings.iter_mut().find(|(help, _)| *help == setting.help) {
                Some((_, formats)) => formats.push(info.id),
                None => known.meanings.push((setting.help, vec![info.id])),
            }
        }
    }
    for setting in A::GENERAL {
        match all.iter_mut().find(|known| known.setting.name == setting.name) {
            Some(known) => known.meanings.push((setting.help, vec!["others"])),
            None => all.push(Declared { setting, meanings: vec![(setting.help, Vec::new())] }),
        }
    }
    all
}

impl<A: Ability> Args for Flags<A> {
    fn augment_args(command: Command) -> Command {
        declared::<A>().into_iter().fold(command, |command, declared| {
            let means = |(help, formats): &(&str, Vec<&str>)| match formats.as_slice() {
                [] => help.to_string(),
                formats => format!("{}: {help}", formats.join(", ")),
            };
            let help = declared.meanings.iter().map(means).collect::<Vec<_>>().join("; ");
            command.arg(flag(declared.setting).help(help).global(A::GLOBAL))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<A: Ability> FromArgMatches for Flags<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut settings = Settings::default();
        for Declared { setting, .. } in declared::<A>() {
            for value in matches.get_many::<ArgumentValue>(setting.name).into_iter().flatten() {
                settings.set(setting.name, value.clone());
            }
        }
        Ok(Flags(settings, PhantomData))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The flag of an option.
fn flag(setting: &'static Setting) -> Arg {
    let (kind, action) = match setting.kind {
        ArgumentKind::List(kind) => (*kind, ArgAction::Append),
        kind => (kind, ArgAction::Set),
    };
    let flag = Arg::new(setting.name).long(setting.name).action(action).value_parser(parser(setting, kind));
    match kind {
        ArgumentKind::Word(["yes", "no"]) => {
            flag.num_args(0..=1).require_equals(true).default_missing_value("yes").hide_possible_values(true)
        }
        ArgumentKind::Word(_) => flag.value_name("HOW"),
        ArgumentKind::Float | ArgumentKind::Double | ArgumentKind::Vector(_) => {
            flag.value_name("NUMBER").allow_hyphen_values(true)
        }
        ArgumentKind::File | ArgumentKind::NamedFile => flag.value_name("FILE"),
        ArgumentKind::Folder => flag.value_name("DIR"),
        ArgumentKind::NumberedFile => flag.value_name("N=FILE"),
        ArgumentKind::NumberOrColor(..) => flag.value_name("N|#RRGGBB"),
        ArgumentKind::Text | ArgumentKind::One(_) => flag.value_name("NAME"),
        _ => flag.value_name("N"),
    }
}

/// What makes a value of a word, of the kind of an option or of each of its list.
fn parser(setting: &'static Setting, kind: ArgumentKind) -> ValueParser {
    let value = move |word: &str| {
        let value = setting.kind.value(word).ok_or_else(|| format!("{} is wanted", kind.wanted()))?;
        with_bytes(value)
    };
    match kind {
        ArgumentKind::Word(words) => {
            let words = PossibleValuesParser::new(words.iter().copied());
            words.try_map(move |word| value(&word)).into()
        }
        ArgumentKind::File => ValueParser::new(|word: &str| file(word).map(ArgumentValue::Bytes)),
        _ => ValueParser::new(value),
    }
}

/// A value with the bytes of the files that it names.
fn with_bytes(value: ArgumentValue) -> Result<ArgumentValue, String> {
    Ok(match value {
        ArgumentValue::File(named) => ArgumentValue::File(read(named)?),
        ArgumentValue::NumberedFile(number, named) => ArgumentValue::NumberedFile(number, read(named)?),
        ArgumentValue::List(all) => {
            ArgumentValue::List(all.into_iter().map(with_bytes).collect::<Result<_, _>>()?)
        }
        other => other,
    })
}

fn read(named: NamedFile) -> Result<NamedFile, String> {
    Ok(NamedFile { bytes: file(&named.name)?, ..named })
}

/// The bytes of a file, in a folder or an archive.
fn file(word: &str) -> Result<Vec<u8>, String> {
    let options = OpenOptions::default();
    let inputs: Vec<fs::Input> = expand(&[word.into()], fs::Follow::No, &options);
    inputs.iter().for_each(out::spare_input);
    let [input] = inputs.as_slice() else { return Err("one file is wanted".to_owned()) };
    let source = input.source(&options).map_err(|error| error.to_string())?;
    Ok(source.bytes)
}
