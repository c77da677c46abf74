// What hangs on nodes without being drawn in the game: attachments, lights, cameras, and what bodies and rays meet.

import * as three from "three";
import type { Solid } from "../library/types";
import type { Model } from "./model";

export type Thing = "attachments" | "lights" | "cameras" | "collision";

export const THINGS: Thing[] = ["attachments", "lights", "cameras", "collision"];

const COLORS: Record<Thing, number> = { attachments: 0x30c48d, lights: 0xf2c14e, cameras: 0xb58cff, collision: 0xff5c7a };
/** Links from face to face. */
const LINKS = 0x3aa0ff;

/** Lines that a node carries along; without a node they stay where they are. */
interface Carried {
  object: three.LineSegments;
  node: number | null;
}

export class Things {
  readonly root = new three.Group();
  readonly shows: Record<Thing, boolean> = { attachments: false, lights: false, cameras: false, collision: false };
  #model: Model | null = null;
  #carried: Record<Thing, Carried[]> = { attachments: [], lights: [], cameras: [], collision: [] };

  /** Takes another model, whose size says how large things are. */
  use(model: Model | null, size: number): void {
    for (const thing of THINGS) this.#clear(thing);
    this.#model = model;
    if (!model) return;
    const { sockets, lights, cameras, nodes } = model.scene;
    const far = size / 14 || 1;
    for (const { node } of sockets) this.#add("attachments", cross(far), node);
    nodes.forEach(({ light, camera }, node) => {
      if (light !== null) this.#add("lights", lights[light]!.form === "point" ? star(far) : arrow(far), node);
      if (camera !== null) this.#add("cameras", frustum(cameras[camera]!.fov_y, far * 3), node);
    });
  }

  /** How many of them the model has. */
  count(thing: Thing): number {
    return this.#carried[thing].length;
  }

  /** Shows what is solid: of nodes, as the file counts them. */
  useSolids(solids: Solid[], block: Uint8Array): void {
    this.#clear("collision");
    const model = this.#model;
    if (!model) return;
    for (const { node, sides, links } of solids) {
      const place = node === null ? null : model.nodeOf(node);
      if (node !== null && place === null) continue;
      for (const [run, color] of [[sides, COLORS.collision], [links, LINKS]] as const) {
        if (run) this.#add("collision", new Float32Array(block.buffer as ArrayBuffer, run.at, run.len), place, color);
      }
    }
  }

  #add(thing: Thing, points: Float32Array, node: number | null, color = COLORS[thing]): void {
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.BufferAttribute(points, 3));
    const material = new three.LineBasicMaterial({ color, depthTest: thing === "collision", transparent: true });
    const object = new three.LineSegments(geometry, material);
    object.matrixAutoUpdate = false;
    object.frustumCulled = false;
    object.renderOrder = 1;
    this.root.add(object);
    this.#carried[thing].push({ object, node });
  }

  #clear(thing: Thing): void {
    for (const { object } of this.#carried[thing]) {
      this.root.remove(object);
      object.geometry.dispose();
      (object.material as three.Material).dispose();
    }
    this.#carried[thing] = [];
  }

  /** Follows the model as it stands. */
  update(): void {
    const model = this.#model;
    if (!model) return;
    for (const thing of THINGS) {
      for (const { object, node } of this.#carried[thing]) {
        object.visible = this.shows[thing];
        if (!object.visible || node === null) continue;
        object.matrix.fromArray(model.frame, model.scene.layout.nodes + node * 16);
        object.matrixWorldNeedsUpdate = true;
      }
    }
  }
}

function cross(far: number): Float32Array {
  return Float32Array.of(-far, 0, 0, far, 0, 0, 0, -far, 0, 0, far, 0, 0, 0, -far, 0, 0, far);
}

/** A light that goes everywhere. */
function star(far: number): Float32Array {
  const near = far * 0.58;
  const signs = [-1, 1];
  const corners = signs.flatMap((x) => signs.map((y) => [x, y] as const)).map(([x, y]) => [x * near, y * near, near]);
  const diagonals = corners.flatMap(([x, y, z]) => [-x!, -y!, -z!, x!, y!, z!]);
  return Float32Array.of(...cross(far), ...diagonals);
}

/** A light that goes one way, which is -Z of its node. */
function arrow(far: number): Float32Array {
  const [end, head] = [-far * 3, far * 0.5];
  const tip = [[head, 0], [-head, 0], [0, head], [0, -head]].flatMap(([x, y]) => [0, 0, end, x!, y!, end + head]);
  return Float32Array.of(0, 0, 0, 0, 0, end, ...tip);
}

/** What a camera sees, as far as that. */
function frustum(fovY: number, far: number): Float32Array {
  const up = Math.tan(fovY / 2) * far;
  const across = up * (4 / 3);
  const corners = [[-across, -up], [across, -up], [across, up], [-across, up]] as const;
  // A camera mostly stands aside: a line shows what it looks at.
  return Float32Array.of(
    ...[0, 0, 0, 0, 0, -far * 20],
    ...corners.flatMap(([x, y], i) => {
      const [nextX, nextY] = corners[(i + 1) % 4]!;
      return [0, 0, 0, x, y, -far, x, y, -far, nextX, nextY, -far];
    }),
  );
}
