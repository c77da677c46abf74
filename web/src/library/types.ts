// What the library tells, as crates/galvani-web writes it.

export type Handle = number;

export interface About {
  path: string;
  name: string;
  format: string | null;
  format_name: string | null;
  size: number;
  is_read: boolean;
  is_archive: boolean;
  is_animated: boolean;
  is_model: boolean;
  is_picture: boolean;
  is_member: boolean;
  topics: string[] | null;
  undo: number;
  redo: number;
}

export interface Finding {
  code: string | null;
  severity?: "error" | "warning" | "note";
  offset?: number | null;
  path?: string;
  title?: string;
  message: string;
  help: string;
  count?: number;
  /** The node that it is about, as the file counts. */
  node?: number | null;
}

export interface Report {
  errors: number;
  warnings: number;
  notes: number;
  diagnostics: Finding[];
}

export interface Member {
  path: string;
  name: string;
  size: number | null;
}

export interface Sample {
  path: string;
  about: string;
  size: number;
}

export interface Part {
  number: number;
  path: string;
  start: number;
  len: number;
  records: number;
}

export interface Value {
  offset: number;
  length: number;
  path: string;
  type: string;
  value: unknown;
  decoded?: unknown;
}

export interface Place {
  part: number;
  record: number;
  value: Value | null;
}

/** What bodies and rays meet at a node of the file, or at the model itself. */
export interface Solid {
  node: number | null;
  sides: Run | null;
  links: Run | null;
}

export interface Run {
  at: number;
  len: number;
}

export interface Primitive {
  material: number | null;
  positions: Run | null;
  normals: Run | null;
  uvs: (Run | null)[];
  colors: Run | null;
  joints: Run | null;
  weights: Run | null;
  indices: Run | null;
}

export type Extras = Record<string, boolean | number | string>;

export interface SceneNode {
  name: string;
  parent: number | null;
  mesh: number | null;
  skin: number | null;
  light: number | null;
  camera: number | null;
  extras: Extras;
}

export interface Texture {
  image: number;
  uv_set: number;
  wrap: ["repeat" | "clamp" | "mirror", "repeat" | "clamp" | "mirror"];
  smooth: boolean;
}

export interface Material {
  name: string;
  texture: Texture | null;
  glow: Texture | null;
  emissive: [number, number, number];
  mode: "opaque" | "mask" | "over" | "add" | "add quarter" | "multiply" | "subtract";
  cutoff: number;
  two_sided: boolean;
  unlit: boolean;
  extras: Extras;
}

export interface Clip {
  name: string;
  index: number;
  length: number;
  looping: boolean;
  events: { name: string; time: number }[];
}

export interface Layout {
  nodes: number;
  visible: number;
  colors: number;
  images: number;
  uvs: number;
  skins: number[];
  len: number;
}

export interface Variant {
  name: string;
  state: number;
  level: number;
  shows: [node: number, mesh: number | null][];
}

export interface Scene {
  name: string;
  nodes: SceneNode[];
  meshes: { name: string; primitives: Primitive[]; extras: Extras }[];
  skins: number[];
  materials: Material[];
  images: { name: string; width: number; height: number; pixels: Run | null }[];
  lights: { name: string; form: string; color: [number, number, number]; intensity: number; range: number | null }[];
  cameras: { name: string; fov_y: number; near: number; far: number | null }[];
  sockets: { name: string; node: number }[];
  clips: Clip[];
  variants: Variant[];
  looks: { name: string; swaps: [number, number][] }[];
  layout: Layout;
  rate: number;
  report: Report;
}

export interface Argument {
  name: string;
  help: string;
  wanted: string;
  kind:
    | { is: "number"; least?: number; most?: number; step: number | "any" }
    | { is: "number or color"; least: number; most: number }
    | { is: "thing"; thing: string }
    | { is: "word"; words: string[] }
    | { is: "file" }
    | { is: "text" };
}

export interface Operation {
  name: string;
  summary: string;
  args: Argument[];
}

/** One edit: an operation and its arguments by name. */
export type Step = { op: string } & Record<string, string>;

export interface Change {
  path: string;
  old: unknown;
  new: unknown;
  distance: number | null;
  summary?: string;
}

export interface Diff {
  equal: boolean;
  changes: Change[];
}

export interface Poses {
  samples: Record<string, unknown>[];
}

/** Something that keys move. */
export interface TrackKeys {
  /** By this operations call it. */
  name: string;
  label: string;
  parts: string[];
  times: number[];
  values: number[][];
  interpolation: string;
}

export interface Timeline {
  tracks: TrackKeys[];
  /** Where each clip begins on the file's timeline. */
  starts: number[];
}
