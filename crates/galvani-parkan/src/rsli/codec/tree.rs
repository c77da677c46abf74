//! A tree of codes that follows how often each symbol came (docs/formats/rsli.md#lzhuf).
//!
//! Nodes lie in a row by weight, the root last; the children of a node are neighbours. A symbol that came makes its
//! leaf and everything above it heavier, and a node that became heavier than others before it changes places with the
//! last of those.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "nodes name nodes of the same row, which no input changes"
)]

use galvani_core::{BitReader, BitWriter};

/// Literals, and lengths of matches from 3 to 60.
const SYMBOLS: usize = 314;

/// Nodes of the tree.
const NODES: usize = 2 * SYMBOLS - 1;

/// The root.
const ROOT: usize = NODES - 1;

/// The weight of the root at which all weights are halved.
const HEAVIEST: u16 = 0x8000;

/// The longest code. Weights halve in time to keep codes far below.
const MOST_BITS: usize = 56;

/// The tree.
pub(super) struct Tree {
    /// How often what hangs under a node came; a wall behind the last.
    weight: [u16; NODES + 1],
    /// The first child of a node, or its symbol and `NODES` of a leaf.
    child: [usize; NODES],
    /// The node above a node, and above the leaf of a symbol at `NODES` and the symbol.
    parent: [usize; NODES + SYMBOLS],
}

impl Tree {
    /// The tree in which every symbol came once.
    pub(super) fn new() -> Self {
        let mut tree = Tree { weight: [1; NODES + 1], child: [0; NODES], parent: [0; NODES + SYMBOLS] };
        for symbol in 0..SYMBOLS {
            tree.child[symbol] = symbol + NODES;
        }
        for (pair, node) in (SYMBOLS..NODES).enumerate() {
            tree.weight[node] = tree.weight[2 * pair] + tree.weight[2 * pair + 1];
            tree.child[node] = 2 * pair;
        }
        tree.weight[NODES] = u16::MAX;
        tree.hang();
        tree
    }

    /// Reads a symbol.
    pub(super) fn next(&mut self, bits: &mut BitReader<'_>) -> usize {
        let window = bits.window();
        let mut node = self.child[ROOT];
        let mut taken = 0;
        while node < NODES && taken < 56 {
            node = self.child[node + usize::from(window << taken >> 63 != 0)];
            taken += 1;
        }
        bits.skip(taken);
        let symbol = node.saturating_sub(NODES);
        self.came(symbol);
        symbol
    }

    /// Writes a symbol.
    pub(super) fn write_symbol(&mut self, symbol: usize, bits: &mut BitWriter) {
        let mut code = [0; MOST_BITS];
        let mut len = 0;
        let mut node = self.parent[symbol + NODES];
        while node != ROOT {
            let parent = self.parent[node];
            code[len] = u32::from(self.child[parent] != node);
            len += 1;
            node = parent;
        }
        for &bit in code[..len].iter().rev() {
            bits.push_bits(bit, 1);
        }
        self.came(symbol);
    }

    /// Counts a symbol.
    fn came(&mut self, symbol: usize) {
        if self.weight[ROOT] == HEAVIEST {
            self.halve();
        }
        let mut node = self.parent[symbol + NODES];
        loop {
            self.weight[node] += 1;
            let heavy = self.weight[node];
            if heavy > self.weight[node + 1] {
                let mut last = node + 1;
                while heavy > self.weight[last + 1] {
                    last += 1;
                }
                self.weight.swap(node, last);
                self.child.swap(node, last);
                self.hang_under(node);
                self.hang_under(last);
                node = last;
            }
            if node == ROOT {
                break;
            }
            node = self.parent[node];
        }
    }

    /// Halves the weights of the leaves, upwards, and builds the tree over them again.
    fn halve(&mut self) {
        let mut leaves = 0;
        for node in 0..NODES {
            if self.child[node] >= NODES {
                self.weight[leaves] = self.weight[node].div_ceil(2);
                self.child[leaves] = self.child[node];
                leaves += 1;
            }
        }
        for (pair, end) in (SYMBOLS..NODES).enumerate() {
            let weight = self.weight[2 * pair] + self.weight[2 * pair + 1];
            let heavier = (0..end).rev().take_while(|&node| self.weight[node] > weight).count();
            let place = end - heavier;
            self.weight.copy_within(place..end, place + 1);
            self.child.copy_within(place..end, place + 1);
            (self.weight[place], self.child[place]) = (weight, 2 * pair);
        }
        self.hang();
    }

    /// Tells every node what it hangs under.
    fn hang(&mut self) {
        for node in 0..NODES {
            self.hang_under(node);
        }
    }

    /// Tells the children of a node, or its symbol, what they hang under.
    fn hang_under(&mut self, node: usize) {
        let child = self.child[node];
        self.parent[child] = node;
        if child < NODES {
            self.parent[child + 1] = node;
        }
    }
}
