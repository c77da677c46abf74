// What is drawn beside a model: its skeleton with names, its box, grid and axes.

import * as three from "three";
import type { Model } from "./model";
import { Things } from "./things";

export class Overlay {
  readonly root = new three.Group();
  readonly #lines: three.LineSegments;
  readonly #points: three.Points;
  readonly #box: three.Box3Helper;
  readonly #axes: three.AxesHelper;
  #grid: three.GridHelper;
  readonly #names: HTMLElement;
  #labels: HTMLElement[] = [];
  #model: Model | null = null;
  shows = { skeleton: false, names: false, bounds: false, grid: true, axes: false };
  readonly things = new Things();
  /** The node that is marked, if one is. */
  marked: number | null = null;

  constructor(names: HTMLElement) {
    this.#names = names;
    const ontop = { depthTest: false, transparent: true };
    this.#lines = new three.LineSegments(
      new three.BufferGeometry(),
      new three.LineBasicMaterial({ color: 0xffb000, ...ontop }),
    );
    this.#points = new three.Points(
      new three.BufferGeometry(),
      new three.PointsMaterial({ vertexColors: true, size: 6, sizeAttenuation: false, ...ontop }),
    );
    this.#box = new three.Box3Helper(new three.Box3(), 0x4f9fff);
    this.#axes = new three.AxesHelper(1);
    this.#grid = new three.GridHelper(1, 10);
    for (const object of [this.#lines, this.#points]) {
      object.frustumCulled = false;
      object.renderOrder = 1;
    }
    this.root.add(this.#lines, this.#points, this.#box, this.#axes, this.#grid, this.things.root);
  }

  /** Takes another model, whose size says how large things are. */
  use(model: Model | null, size: number): void {
    this.#model = model;
    this.marked = null;
    this.things.use(model, size);
    const nodes = model?.nodes ?? [];
    const links = nodes.flatMap((node, i) => (node.parent === null ? [] : [i, node.parent]));
    const floats = (count: number) => new three.Float32BufferAttribute(new Float32Array(count * 3), 3);
    this.#lines.geometry.dispose();
    this.#lines.geometry = new three.BufferGeometry();
    this.#lines.geometry.setAttribute("position", floats(nodes.length));
    this.#lines.geometry.setIndex(links);
    this.#points.geometry.dispose();
    this.#points.geometry = new three.BufferGeometry();
    this.#points.geometry.setAttribute("position", this.#lines.geometry.attributes["position"]!);
    this.#points.geometry.setAttribute("color", floats(nodes.length));
    this.#axes.scale.setScalar(size / 2 || 1);
    const cell = 10 ** Math.round(Math.log10((size || 1) / 5));
    this.root.remove(this.#grid);
    this.#grid.dispose();
    this.#grid = new three.GridHelper(cell * 20, 20, 0x808080, 0x808080);
    this.#grid.material.transparent = true;
    this.#grid.material.opacity = 0.35;
    this.root.add(this.#grid);
    this.#labels = nodes.map(({ name }, i) => {
      const label = document.createElement("span");
      label.textContent = name || `#${i}`;
      return label;
    });
    this.#names.replaceChildren(...this.#labels);
  }

  /** Follows the model as it stands. */
  update(camera: three.Camera, width: number, height: number): void {
    const { shows } = this;
    const model = this.#model;
    this.#lines.visible = shows.skeleton && model !== null;
    this.#points.visible = (shows.skeleton || this.marked !== null) && model !== null;
    this.#box.visible = shows.bounds && model !== null;
    this.#axes.visible = shows.axes;
    this.#grid.visible = shows.grid;
    this.#names.hidden = !(shows.names && model);
    if (!model) return;
    this.things.update();
    if (shows.bounds) model.bounds(this.#box.box);
    const position = this.#lines.geometry.attributes["position"] as three.BufferAttribute;
    const color = this.#points.geometry.attributes["color"] as three.BufferAttribute;
    const point = new three.Vector3();
    model.nodes.forEach((_, i) => {
      model.place(i, point);
      position.setXYZ(i, point.x, point.y, point.z);
      const isMarked = i === this.marked;
      const isSeen = shows.skeleton || isMarked;
      color.setXYZ(i, isMarked ? 1 : isSeen ? 1 : 0, isMarked ? 0.1 : 0.7, isMarked ? 0.4 : 0);
      if (!shows.names) return;
      point.project(camera);
      const label = this.#labels[i]!;
      label.hidden = point.z > 1;
      label.style.transform = `translate(${((point.x + 1) / 2) * width}px, ${((1 - point.y) / 2) * height}px)`;
    });
    position.needsUpdate = true;
    color.needsUpdate = true;
    if (!shows.skeleton && this.marked !== null) this.#points.geometry.setDrawRange(this.marked, 1);
    else this.#points.geometry.setDrawRange(0, Infinity);
  }
}
