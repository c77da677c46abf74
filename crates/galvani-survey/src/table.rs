//! The tables and their columns.

use std::str::FromStr;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Text of which there are few different ones.
    Name,
    /// Text.
    Text,
    /// A whole number.
    Int,
    /// A number.
    Number,
    /// Whether it is so.
    Truth,
    /// Readings: topic, the one taken, why.
    Readings,
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableColumn {
    /// What it is called.
    pub name: &'static str,
    /// What it holds.
    pub kind: ColumnKind,
    /// Whether there may be nothing in it.
    pub is_optional: bool,
    /// What that is.
    pub help: &'static str,
}

impl ColumnKind {
    fn data_type(self) -> DataType {
        match self {
            ColumnKind::Name => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
            ColumnKind::Text => DataType::Utf8,
            ColumnKind::Int => DataType::Int64,
            ColumnKind::Number => DataType::Float64,
            ColumnKind::Truth => DataType::Boolean,
            ColumnKind::Readings => {
                let item = Field::new("item", DataType::Struct(reading_fields()), true);
                DataType::List(Arc::new(item))
            }
        }
    }
}

/// What is said of a reading.
pub(crate) fn reading_fields() -> Fields {
    ["topic", "taken", "why"].map(|name| Field::new(name, DataType::Utf8, false)).to_vec().into()
}

/// Declares the tables: a word, what a row is, and for each column its name, kind and meaning.
macro_rules! tables {
    ($( $table:ident $word:literal $row:literal { $( $column:ident: $kind:ident $($optional:ident)?, $help:literal; )* } )*) => {
        /// A table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Table {
            $( #[doc = $row] $table, )*
        }

        impl Table {
            /// All of them.
            pub const ALL: &[Table] = &[$( Table::$table, )*];

            /// What it is called.
            pub fn word(self) -> &'static str {
                match self { $( Table::$table => $word, )* }
            }

            /// What a row of it is.
            pub fn row(self) -> &'static str {
                match self { $( Table::$table => $row, )* }
            }

            /// Its columns.
            pub fn columns(self) -> &'static [TableColumn] {
                match self { $( Table::$table => &[$( TableColumn {
                    name: stringify!($column),
                    kind: ColumnKind::$kind,
                    is_optional: tables!(@ $($optional)?),
                    help: $help,
                }, )*], )* }
            }
        }
    };
    (@ optional) => { true };
    (@) => { false };
}

tables! {
    Files "files" "A file, or a member of an archive." {
        path: Text, "how it is addressed; members stand behind their archive";
        archive: Name optional, "the archive that it is a member of";
        member: Text optional, "what it is called there";
        sha256: Text optional, "of its bytes; nothing if they cannot be had";
        size: Int optional, "bytes";
        format: Name optional, "the id of its format; nothing if that is not known";
        version: Int optional, "the version that it gives";
        family: Name optional, "whose it is, where several families share the format";
        readings: Readings, "which account of its format was followed, and why";
        readable: Truth, "whether it reads at all";
        errors: Int, "findings that are errors";
        warnings: Int, "findings that are warnings";
        notes: Int, "findings that are notes";
        seconds: Number, "how long it took, without its members";
    }
    Sections "sections" "A chunk, stream or entry of a file." {
        file: Name, "path of the file";
        section: Int, "its number in the file";
        tag: Name, "four letters, a name or a number";
        offset: Int optional, "where it begins";
        size: Int, "bytes";
        count: Int optional, "records in it, where its format counts them";
    }
    Fields "fields" "A value of a record of a file." {
        file: Name, "path of the file";
        section: Name, "the path of the record without its numbers";
        place: Name, "the path of the list or record that it is in";
        record: Int optional, "which record of the list";
        field: Name, "what the value is called";
        element: Int optional, "which of several values";
        offset: Int, "where it begins";
        type: Name, "what it is";
        i64: Int optional, "a whole number";
        f64: Number optional, "a number";
        text: Text optional, "text, or up to 256 bytes in hex";
    }
    Clips "clips" "A sequence, an animation, or an entry of a pack that moves." {
        file: Name, "path of the file";
        clip: Int, "its number in the file";
        name: Name, "what it is called; packs number theirs";
        start: Number, "where it begins";
        end: Number, "where it ends";
        unit: Name, "what the two count: ms, frames, s";
        loop: Truth optional, "whether it begins again, where the file says so";
        keys: Int, "keys or frames in it";
        animated_nodes: Int, "nodes that move in it";
    }
    Tracks "tracks" "The keys of one property of one thing." {
        file: Name, "path of the file";
        track: Int, "its number in the file";
        owner: Name, "whose it is";
        tag: Name, "which property";
        interpolation: Name, "what is between the keys";
        keys: Int, "how many keys";
        first: Number optional, "when the first is, in the unit of the clips";
        last: Number optional, "when the last is";
    }
    Nodes "nodes" "A node or bone." {
        file: Name, "path of the file";
        node: Int, "its number in the file";
        name: Name, "what it is called";
        kind: Name, "what it is";
        parent: Int optional, "the number of what it hangs on";
        flags: Int optional, "its flags";
    }
    Materials "materials" "A layer of a material." {
        file: Name, "path of the file";
        material: Int, "its number in the file";
        layer: Int optional, "which layer";
        name: Name, "what it is called";
        blend: Name, "how it is drawn";
        flags: Int optional, "its flags";
    }
    Textures "textures" "A picture, or the name of one." {
        file: Name, "path of the file";
        texture: Int, "its number in the file";
        role: Name, "picture, or what the named one is for: texture, lightmap";
        name: Name, "what it is called";
        place: Name, "where it is named";
        width: Int optional, "pixels of a picture";
        height: Int optional, "rows of pixels of a picture";
    }
    Findings "findings" "Something worth knowing of a file." {
        file: Name, "path of the file";
        code: Name, "what it is";
        severity: Name, "error, warning or note";
        place: Name, "where in the document";
        offset: Int optional, "where in the file";
        count: Int, "how often";
        message: Text, "what is wrong, with its figures";
    }
}

impl Table {
    /// Those that are told unless somebody chooses: all but the large one.
    pub fn usual() -> impl Iterator<Item = Table> {
        Table::ALL.iter().copied().filter(|table| *table != Table::Fields)
    }

    /// The name of its file.
    pub fn file_name(self) -> String {
        format!("{}.parquet", self.word())
    }

    /// The column that holds paths of files.
    pub(crate) fn path_column(self) -> &'static str {
        if self == Table::Files { "path" } else { "file" }
    }

    /// Its columns as Arrow has them.
    pub fn schema(self) -> SchemaRef {
        let field =
            |column: &TableColumn| Field::new(column.name, column.kind.data_type(), column.is_optional);
        Arc::new(Schema::new(self.columns().iter().map(field).collect::<Vec<_>>()))
    }
}

impl FromStr for Table {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let found = Table::ALL.iter().copied().find(|table| table.word() == word);
        found.ok_or_else(|| {
            let words: Vec<&str> = Table::ALL.iter().map(|table| table.word()).collect();
            format!("`{word}` is no table; tables: {}", words.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_goes_by_its_word() {
        for table in Table::ALL {
            assert_eq!(table.word().parse(), Ok(*table));
        }
        assert!("chunks".parse::<Table>().is_err_and(|why| why.contains("sections, fields")));
        assert!(!Table::usual().any(|table| table == Table::Fields));
    }

    #[test]
    fn every_table_says_which_file_a_row_is_of() {
        for table in Table::ALL {
            assert_eq!(table.columns().first().map(|column| column.name), Some(table.path_column()));
        }
    }
}
