//! BLP.
