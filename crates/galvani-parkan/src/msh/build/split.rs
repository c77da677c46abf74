//! Draw calls that a 16-bit index can reach.

/// Vertices that a draw call spans at most: one more than its highest index must fit 16 bits.
const MOST_VERTICES: usize = 65_535;
/// Triangles of a draw call at most: their indices are counted in 16 bits.
const MOST_TRIANGLES: usize = 21_845;

/// The vertices and draw calls of a slot.
#[derive(Debug, Default)]
pub(super) struct Split {
    /// Which vertex stands at each place. None that is not drawn; some twice, if no draw call can reach far
    /// enough.
    pub(super) order: Vec<usize>,
    /// In the order of the triangles.
    pub(super) draws: Vec<Draw>,
}

/// A draw call.
#[derive(Debug)]
pub(super) struct Draw {
    /// Whose triangles these are.
    pub(super) part: usize,
    /// The lowest place it uses.
    pub(super) first: usize,
    /// The highest place it uses.
    pub(super) last: usize,
    /// Triangles as places in the order.
    pub(super) triangles: Vec<[usize; 3]>,
}

/// Divides the triangles of parts, in order, into as few draw calls as reach from each one's first triangle.
///
/// Vertices keep their order if one draw call can reach them all, else they stand in the order of their first
/// use.
pub(super) fn split(vertex_count: usize, parts: &[Vec<[usize; 3]>]) -> Split {
    let mut places = Places::new(vertex_count, parts);
    let mut draws: Vec<Draw> = Vec::new();
    for (part, triangles) in parts.iter().enumerate() {
        for &triangle in triangles {
            let (first, last) = places.span(triangle);
            let open = draws.last_mut().filter(|draw| draw.part == part && draw.takes(first, last));
            if let Some(draw) = open {
                draw.add(places.add_triangle(triangle));
                continue;
            }
            if !fits(first, last) {
                places.forget(triangle);
            }
            let placed = places.add_triangle(triangle);
            let mut draw = Draw { part, first: placed[0], last: placed[0], triangles: Vec::new() };
            draw.add(placed);
            draws.push(draw);
        }
    }
    Split { order: places.order, draws }
}

fn fits(first: usize, last: usize) -> bool {
    last.saturating_sub(first) < MOST_VERTICES
}

impl Draw {
    fn takes(&self, first: usize, last: usize) -> bool {
        self.triangles.len() < MOST_TRIANGLES && fits(self.first.min(first), self.last.max(last))
    }

    fn add(&mut self, triangle: [usize; 3]) {
        for place in triangle {
            self.first = self.first.min(place);
            self.last = self.last.max(place);
        }
        self.triangles.push(triangle);
    }
}

/// Where vertices stand so far.
struct Places {
    order: Vec<usize>,
    /// The last place of each vertex.
    of: Vec<Option<usize>>,
}

impl Places {
    fn new(vertex_count: usize, parts: &[Vec<[usize; 3]>]) -> Self {
        let mut used = vec![false; vertex_count];
        for &vertex in parts.iter().flatten().flatten() {
            if let Some(used) = used.get_mut(vertex) {
                *used = true;
            }
        }
        let order: Vec<usize> =
            used.iter().enumerate().filter(|(_, used)| **used).map(|(vertex, _)| vertex).collect();
        let mut places = Places { order: Vec::new(), of: vec![None; vertex_count] };
        if order.len() <= MOST_VERTICES {
            for vertex in order {
                places.place(vertex);
            }
        }
        places
    }

    /// The lowest and highest place of a triangle, as if it were put.
    fn span(&self, triangle: [usize; 3]) -> (usize, usize) {
        let mut coming = self.order.len()..;
        let places = triangle.map(|vertex| self.known(vertex).or_else(|| coming.next()).unwrap_or(0));
        (places.into_iter().min().unwrap_or(0), places.into_iter().max().unwrap_or(0))
    }

    /// Forgets the places from which the last three to come cannot be reached.
    fn forget(&mut self, triangle: [usize; 3]) {
        let end = self.order.len().saturating_add(triangle.len());
        for vertex in triangle {
            if let Some(place) = self.of.get_mut(vertex) {
                *place = place.filter(|place| place.saturating_add(MOST_VERTICES) >= end);
            }
        }
    }

    fn add_triangle(&mut self, triangle: [usize; 3]) -> [usize; 3] {
        triangle.map(|vertex| self.place(vertex))
    }

    fn place(&mut self, vertex: usize) -> usize {
        if let Some(place) = self.known(vertex) {
            return place;
        }
        let place = self.order.len();
        self.order.push(vertex);
        if let Some(known) = self.of.get_mut(vertex) {
            *known = Some(place);
        }
        place
    }

    fn known(&self, vertex: usize) -> Option<usize> {
        self.of.get(vertex).copied().flatten()
    }
}
