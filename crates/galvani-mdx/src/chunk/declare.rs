//! What the table of chunks becomes.

/// Declares the chunks: what each holds, the kinds of nodes among them, and a row for each.
macro_rules! chunks {
    ($(
        $(#[$doc:meta])*
        $tag:literal, $whose:expr => $variant:ident($holds:ty) as $layout:ty
        $(, has $tracks:ident)?
        $(, node $kind:ident $word:literal $($bit:literal)?)?
        $(, counted $many:literal $one:literal)?
        ;
    )*) => {
        /// What a chunk holds.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Content {
            $(
                #[doc = concat!($tag, ".")]
                $(#[$doc])*
                $variant($holds),
            )*
            /// A chunk that nobody knows, or that could not be read.
            Raw(Raw),
        }

        /// What a node belongs to.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum NodeKind {
            $($(
                #[doc = concat!($tag, ".")]
                $kind,
            )?)*
        }

        impl NodeKind {
            /// The word for this kind.
            pub fn word(self) -> &'static str {
                match self {
                    $($( NodeKind::$kind => $word, )?)*
                }
            }

            /// The bit by which a node of Warcraft III says that it is of this kind.
            pub(crate) fn bit(self) -> Option<u32> {
                match self {
                    $($( NodeKind::$kind => given!($($bit)?, else), )?)*
                }
            }
        }

        /// The rows of the table in order.
        static CHUNKS: &[Row] = &[$(
            Row {
                tag: $tag,
                whose: $whose,
                is_raw_if_empty: <$layout as Layout<$holds>>::NEEDS_BYTES,
                read: |c| <$layout as Layout<$holds>>::read(c).map(Content::$variant),
                has_tracks: given!($($tracks)?),
                has_nodes: given!($($kind)?),
                counted: given!($(($many, $one))?, else),
            },
        )*];

        impl Content {
            /// The tag of what it holds, unless it is raw.
            pub fn name(&self) -> Option<&'static str> {
                Some(match self {
                    $( Content::$variant(_) => $tag, )*
                    Content::Raw(_) => return None,
                })
            }

            /// How many records it has.
            pub fn len(&self) -> usize {
                match self {
                    $( Content::$variant(held) => <$layout as Layout<$holds>>::len(held), )*
                    Content::Raw(_) => 1,
                }
            }

            /// Its records, if each may be one that could not be read.
            pub(crate) fn records(&self) -> Option<&dyn AnyRecords> {
                match self {
                    $( Content::$variant(held) => <$layout as Layout<$holds>>::records(held), )*
                    Content::Raw(_) => None,
                }
            }

            /// The same for editing.
            pub(crate) fn records_mut(&mut self) -> Option<&mut dyn AnyRecords> {
                match self {
                    $( Content::$variant(held) => <$layout as Layout<$holds>>::records_mut(held), )*
                    Content::Raw(_) => None,
                }
            }

            /// Calls `each` with every text that has a room of its own, those of nodes aside.
            pub(crate) fn texts<'a>(&'a self, each: EachText<'_, 'a>) {
                match self {
                    $( Content::$variant(held) => <$layout as Layout<$holds>>::texts(held, each), )*
                    Content::Raw(_) => {}
                }
            }
        }

        impl Write for Content {
            fn write(&self, out: &mut Out) {
                match self {
                    $( Content::$variant(held) => <$layout as Layout<$holds>>::write(held, out), )*
                    Content::Raw(raw) => out.raw(raw),
                }
            }
        }
    };
}

/// Whether a row says something, or what.
macro_rules! given {
    () => {
        false
    };
    ($said:ident) => {
        true
    };
    (, else) => {
        None
    };
    ($said:expr, else) => {
        Some($said)
    };
}

pub(super) use {chunks, given};
