// A model: the scene that the library described, as objects of three.js that a frame puts in their places.

import * as three from "three";
import type { Primitive, Run, Scene, SceneNode } from "../library/types";
import { Materials, type Mode } from "./material";

interface Shown {
  node: number;
  mesh: number;
  objects: three.Mesh[];
}

export class Model {
  readonly root = new three.Group();
  readonly scene: Scene;
  /** The last frame. */
  frame: Float32Array;
  /** One that is lent to the library to be filled. */
  spare: Float32Array;
  #block: ArrayBuffer;
  #materials: Materials;
  #geometries = new Map<Primitive, three.BufferGeometry>();
  #skeletons: three.Skeleton[];
  #shown: Shown[] = [];
  #mode: Mode = "textured";
  /** Which mesh a node shows now. */
  #worn: (number | null)[];
  #variant: number | null = null;
  #look: number | null = null;
  #swaps = new Map<number, number>();
  #hidden = new Set<number>();

  constructor(scene: Scene, block: Uint8Array) {
    this.scene = scene;
    this.#block = block.buffer as ArrayBuffer;
    this.frame = new Float32Array(scene.layout.len);
    this.spare = new Float32Array(scene.layout.len);
    this.#materials = new Materials(scene, this.#block);
    this.#skeletons = scene.skins.map((joints) => skeletonOf(joints));
    this.#worn = scene.nodes.map((node) => node.mesh);
    this.#dress();
  }

  /** Triangles that are drawn. */
  get triangles(): number {
    const all = this.#shown.flatMap(({ objects }) => objects);
    return all.reduce((sum, { geometry }) => sum + (geometry.index?.count ?? 0) / 3, 0);
  }

  get nodes(): SceneNode[] {
    return this.scene.nodes;
  }

  set mode(mode: Mode) {
    this.#mode = mode;
    this.#dress();
  }

  get mode(): Mode {
    return this.#mode;
  }

  /** Shows another state or level of detail; none, the first. */
  wear(variant: number | null): void {
    this.#variant = variant;
    this.#worn = this.scene.nodes.map((node) => node.mesh);
    const shows = variant === null ? [] : (this.scene.variants[variant]?.shows ?? []);
    for (const [node, mesh] of shows) this.#worn[node] = mesh;
    this.#dress();
  }

  /** Shows another look, such as another team's; none, its own. */
  look(look: number | null): void {
    this.#look = look;
    this.#swaps = new Map(look === null ? [] : (this.scene.looks[look]?.swaps ?? []));
    this.#dress();
  }

  /** Which state, level of detail and look it has. */
  get worn(): { state: number; level: number; look: number | null } {
    const variant = this.#variant === null ? undefined : this.scene.variants[this.#variant];
    return { state: variant?.state ?? 0, level: variant?.level ?? 0, look: this.#look };
  }

  /** The node of the scene that a node of the file became; none, if it did not. */
  nodeOf(number: number): number | null {
    const found = this.scene.nodes.findIndex(({ extras }) => (extras["id"] ?? extras["bone"]) === number);
    return found < 0 ? null : found;
  }

  /** Hides a mesh, or shows it again. */
  hide(mesh: number, isHidden: boolean): void {
    if (isHidden) this.#hidden.add(mesh);
    else this.#hidden.delete(mesh);
    this.#place();
  }

  isHidden(mesh: number): boolean {
    return this.#hidden.has(mesh);
  }

  /** Meshes that are shown now. */
  get meshes(): number[] {
    return [...new Set(this.#worn.filter((mesh) => mesh !== null))];
  }

  #dress(): void {
    this.root.clear();
    this.#shown = [];
    this.#worn.forEach((mesh, node) => {
      if (mesh === null) return;
      const objects = this.scene.meshes[mesh]!.primitives.map((primitive) => this.#object(primitive, node));
      for (const object of objects) this.root.add(object);
      this.#shown.push({ node, mesh, objects });
    });
    this.#place();
  }

  #object(primitive: Primitive, node: number): three.Mesh {
    const geometry = this.#geometry(primitive);
    const own = primitive.material;
    const worn = own === null ? null : (this.#swaps.get(own) ?? own);
    const material = this.#materials.of(worn, primitive.colors !== null, primitive.normals !== null, this.#mode);
    const skin = this.scene.nodes[node]!.skin;
    let object: three.Mesh;
    if (skin !== null && primitive.joints) {
      const skinned = new three.SkinnedMesh(geometry, material);
      skinned.bindMode = three.DetachedBindMode;
      skinned.bind(this.#skeletons[skin]!, new three.Matrix4());
      object = skinned;
    } else {
      object = new three.Mesh(geometry, material);
    }
    object.matrixAutoUpdate = false;
    object.frustumCulled = false;
    return object;
  }

  #geometry(primitive: Primitive): three.BufferGeometry {
    const known = this.#geometries.get(primitive);
    if (known) return known;
    const made = new three.BufferGeometry();
    const floats = (name: string, run: Run | null, size: number) => {
      if (run) made.setAttribute(name, new three.BufferAttribute(this.#floats(run), size));
    };
    floats("position", primitive.positions, 3);
    floats("normal", primitive.normals, 3);
    floats("color", primitive.colors, 4);
    floats("skinWeight", primitive.weights, 4);
    primitive.uvs.forEach((run, i) => floats(i === 0 ? "uv" : `uv${i}`, run, 2));
    if (primitive.joints) {
      const joints = new Uint32Array(this.#block, primitive.joints.at, primitive.joints.len);
      made.setAttribute("skinIndex", new three.Uint16BufferAttribute(Uint16Array.from(joints), 4));
    }
    const { indices } = primitive;
    if (indices) made.setIndex(new three.BufferAttribute(new Uint32Array(this.#block, indices.at, indices.len), 1));
    this.#geometries.set(primitive, made);
    return made;
  }

  #floats(run: Run): Float32Array {
    return new Float32Array(this.#block, run.at, run.len);
  }

  /** Puts everything where a frame says. Gives the frame before, to be filled again. */
  apply(frame: Float32Array): Float32Array {
    const before = this.frame;
    this.frame = frame;
    this.#place();
    return before;
  }

  #place(): void {
    const { frame, scene } = this;
    for (const { node, mesh, objects } of this.#shown) {
      const isSeen = frame[scene.layout.visible + node] !== 0 && !this.#hidden.has(mesh);
      for (const object of objects) {
        object.visible = isSeen;
        if (object instanceof three.SkinnedMesh) continue;
        object.matrix.fromArray(frame, scene.layout.nodes + node * 16);
        object.matrixWorldNeedsUpdate = true;
      }
    }
    this.#skeletons.forEach((skeleton, i) => {
      const start = scene.layout.skins[i]!;
      skeleton.boneMatrices!.set(frame.subarray(start, start + scene.skins[i]! * 16));
      skeleton.boneTexture!.needsUpdate = true;
    });
    this.#materials.apply(frame);
  }

  /** The box of everything that is seen as it stands; of a model without geometry, of its nodes. */
  bounds(box = new three.Box3()): three.Box3 {
    box.makeEmpty();
    const point = new three.Vector3();
    for (const { node, objects } of this.#shown) {
      for (const object of objects) {
        if (!object.visible) continue;
        const { position, skinIndex, skinWeight } = object.geometry.attributes;
        if (!position) continue;
        const skin = this.scene.nodes[node]!.skin;
        for (let i = 0; i < position.count; i++) {
          point.fromBufferAttribute(position as three.BufferAttribute, i);
          if (skin !== null && skinIndex && skinWeight) this.#bend(point, skin, skinIndex, skinWeight, i);
          else point.applyMatrix4(object.matrix);
          box.expandByPoint(point);
        }
      }
    }
    if (box.isEmpty()) {
      this.scene.nodes.forEach((_, node) => box.expandByPoint(this.place(node, point)));
    }
    return box;
  }

  #bend(point: three.Vector3, skin: number, joints: Attribute, weights: Attribute, vertex: number): void {
    const start = this.scene.layout.skins[skin]!;
    const matrix = new three.Matrix4();
    const [sum, one] = [new three.Vector3(), new three.Vector3()];
    for (let i = 0; i < 4; i++) {
      const weight = weights.getComponent(vertex, i);
      if (weight === 0) continue;
      matrix.fromArray(this.frame, start + joints.getComponent(vertex, i) * 16);
      sum.addScaledVector(one.copy(point).applyMatrix4(matrix), weight);
    }
    point.copy(sum);
  }

  /** Where a node is. */
  place(node: number, into: three.Vector3): three.Vector3 {
    return into.fromArray(this.frame, this.scene.layout.nodes + node * 16 + 12);
  }

  dispose(): void {
    for (const geometry of this.#geometries.values()) geometry.dispose();
    for (const skeleton of this.#skeletons) skeleton.dispose();
    this.#materials.dispose();
  }
}

type Attribute = three.BufferAttribute | three.InterleavedBufferAttribute;

/** A skeleton whose matrices come from the library: three.js is not to reckon them itself. */
function skeletonOf(joints: number): three.Skeleton {
  const skeleton = new three.Skeleton(Array.from({ length: joints }, () => new three.Bone()));
  skeleton.computeBoneTexture();
  skeleton.update = () => {};
  return skeleton;
}
