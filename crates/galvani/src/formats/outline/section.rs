//! Lists of an outline.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::Cell;

/// A list of rows with the same columns, and its title.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its key in JSON; nothing if it is for people.
    pub key: Option<&'static str>,
    /// Its title; nothing if it is for machines.
    pub title: Option<&'static str>,
    /// Which people want it.
    pub audience: Audience,
    /// How people see it.
    pub look: ListStyle,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Values, one per column.
    pub rows: Vec<Vec<Cell>>,
}

/// Which people want to see something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Audience {
    /// All of them.
    #[default]
    Everyone,
    /// Those who ask what each account of the format makes of the file.
    Readings,
}

impl Audience {
    /// Whether these people want what is meant for those.
    pub fn wants(self, of: Audience) -> bool {
        of == Audience::Everyone || self == Audience::Readings
    }
}

/// How people see a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ListStyle {
    /// As a table.
    #[default]
    Table,
    /// As a table whose rows hang on each other.
    Tree {
        /// The column that is indented.
        column: usize,
        /// For each row the row it hangs on.
        parents: Vec<Option<usize>>,
    },
    /// All rows in one line, with commas between them.
    Line {
        /// What is said of each.
        columns: Vec<usize>,
    },
    /// As a table of files: each row is a member of the document. Its last two columns are [`MEMBER`], which whoever
    /// looks into the members fills in.
    Members,
}

/// A column of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its key in JSON; nothing if it is for people.
    pub key: Option<&'static str>,
    /// Its title; nothing if it is for machines.
    pub title: Option<&'static str>,
    /// Whether a row of JSON leaves it out where there is nothing.
    pub is_optional: bool,
    /// Whether people need not see a zero, a no or an empty text.
    pub is_quiet: bool,
}

/// What a member is and holds.
pub const MEMBER: [Column; 2] = [Column::new("format", "format"), Column::new("summary", "holds")];

impl Column {
    /// A column for everyone.
    pub const fn new(key: &'static str, title: &'static str) -> Self {
        Column { title: Some(title), ..Column::machines(key) }
    }

    /// A column for machines.
    pub const fn machines(key: &'static str) -> Self {
        Column { key: Some(key), title: None, is_optional: false, is_quiet: false }
    }

    /// A column for people.
    pub const fn people(title: &'static str) -> Self {
        Column { key: None, ..Column::new("", title) }
    }

    /// The same, left out of a row of JSON where there is nothing.
    #[must_use]
    pub const fn optional(self) -> Self {
        Column { is_optional: true, ..self }
    }

    /// The same without zeros for people.
    #[must_use]
    pub const fn quiet(self) -> Self {
        Column { is_quiet: true, ..self }
    }
}

impl Section {
    /// A table for everyone.
    pub fn new(key: &'static str, title: &'static str, columns: &[Column], rows: Vec<Vec<Cell>>) -> Self {
        Section {
            key: Some(key),
            title: Some(title),
            audience: Audience::Everyone,
            look: ListStyle::Table,
            columns: columns.to_vec(),
            rows,
        }
    }

    /// A table for people who ask for readings.
    pub fn of_reading(title: &'static str, columns: &[Column], rows: Vec<Vec<Cell>>) -> Self {
        Section { key: None, audience: Audience::Readings, ..Section::new("", title, columns, rows) }
    }

    /// The same with another look.
    #[must_use]
    pub fn looking(self, look: ListStyle) -> Self {
        Section { look, ..self }
    }

    /// An array of objects. Bits are followed by their names.
    pub fn to_json(&self) -> Value {
        self.rows.iter().map(|row| self.row_to_json(row)).collect()
    }

    fn row_to_json(&self, row: &[Cell]) -> Value {
        let mut object = Map::new();
        for (column, cell) in self.columns.iter().zip(row) {
            let Some(key) = column.key.filter(|_| !column.is_optional || *cell != Cell::Nothing) else {
                continue;
            };
            object.insert(key.to_owned(), cell.to_json());
            if let Cell::Flags(flags) = cell
                && !flags.names.is_empty()
            {
                object.insert("flag_names".to_owned(), json!(flags.names));
            }
        }
        Value::Object(object)
    }
}

/// The same array, a row at a time: as one value it would take ten times the room of its rows.
impl Serialize for Section {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows.iter().map(|row| self.row_to_json(row)))
    }
}
