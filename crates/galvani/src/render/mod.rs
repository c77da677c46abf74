//! Findings, outlines and dumps as text for people, JSON for machines and annotations for GitHub.

pub mod github;
pub mod json;
pub mod pose;
pub mod query;
pub mod table;
pub mod text;
