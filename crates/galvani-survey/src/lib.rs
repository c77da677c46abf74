//! Collections of models as tables: Arrow record batches, and Parquet files of them.
//!
//! [`run`] looks at every input, on all cores, and hands a [`Sink`] the rows of the tables that are wanted, in the order
//! of the inputs. [`ParquetFolder`] writes them as Parquet files, [`Stream`] as Arrow IPC; memory does not grow with the number
//! of files.
//!
//! ```
//! use galvani::fs::{Follow, expand};
//! use galvani_survey::{Options, Table, run};
//!
//! # fn main() -> Result<(), galvani_survey::SurveyError> {
//! let inputs = expand(&["no-such-folder".into()], Follow::No, &galvani::OpenOptions::default());
//! let mut rows = 0;
//! let mut count = |_: Table, batch: arrow_array::RecordBatch| {
//!     rows += batch.num_rows();
//!     Ok(())
//! };
//! let summary = run(&inputs, &Options::of([Table::Files]), &mut count, &|_| true)?;
//! // What cannot be read is a row, too.
//! assert_eq!((rows, summary.unreadable), (1, 1));
//! # Ok(())
//! # }
//! ```

mod fields;
mod folder;
mod resume;
mod rows;
mod run;
mod stream;
mod table;
mod visit;

use galvani::core::Path;
use galvani::fs::{OpenError, SaveError};
use galvani::{Diagnostic, codes};

pub use folder::ParquetFolder;
pub use resume::EarlierSurvey;
pub use run::{Options, Progress, Sink, Summary, run};
pub use stream::{Stream, batches};
pub use table::{ColumnKind, Table, TableColumn};

/// Why a survey stopped.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{cause}")]
pub struct SurveyError {
    /// What happened.
    pub cause: Box<Diagnostic>,
}

impl SurveyError {
    /// Something could not be written.
    fn unwritable(why: impl std::fmt::Display) -> Self {
        SurveyError { cause: Box::new(codes::UNWRITABLE.at(Path::root()).saying(why.to_string())) }
    }

    /// Something written before could not be read.
    fn unreadable(why: impl std::fmt::Display) -> Self {
        SurveyError { cause: Box::new(codes::UNREADABLE.at(Path::root()).saying(why.to_string())) }
    }
}

impl From<SaveError> for SurveyError {
    fn from(error: SaveError) -> Self {
        SurveyError { cause: error.cause }
    }
}

impl From<OpenError> for SurveyError {
    fn from(error: OpenError) -> Self {
        SurveyError { cause: error.cause }
    }
}
