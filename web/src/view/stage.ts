// The picture: a camera that goes around the model, light, and what is drawn.

import * as three from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Model } from "./model";
import { Overlay } from "./overlay";

/** Where the model is looked at from, as a link holds it. */
export interface Eye {
  position: [number, number, number];
  target: [number, number, number];
  isFlat: boolean;
}

const FIELD = 30;

export class Stage {
  readonly overlay: Overlay;
  readonly canvas: HTMLCanvasElement;
  readonly #renderer: three.WebGLRenderer;
  readonly #scene = new three.Scene();
  readonly #perspective = new three.PerspectiveCamera(FIELD, 1, 0.01, 1000);
  readonly #flat = new three.OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
  #camera: three.PerspectiveCamera | three.OrthographicCamera = this.#perspective;
  readonly #controls: OrbitControls;
  #models: Model[] = [];
  #ghosts: Model[] = [];
  #size = 1;
  /** Whether it would look another way if it were drawn again. */
  #isStale = true;

  constructor(canvas: HTMLCanvasElement, names: HTMLElement) {
    this.canvas = canvas;
    this.#renderer = new three.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.overlay = new Overlay(names);
    const sky = new three.HemisphereLight(0xffffff, 0x8a8f98, 2.2);
    const sun = new three.DirectionalLight(0xffffff, 1.6);
    sun.position.set(2, 4, 3);
    this.#scene.add(sky, sun, this.overlay.root);
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.enableDamping = false;
    this.#controls.listenToKeyEvents(canvas);
    this.#controls.addEventListener("change", () => this.touch());
    // A graphics card may forget everything; three.js gives it all back, but to an empty picture.
    canvas.addEventListener("webglcontextrestored", () => this.touch());
    new ResizeObserver(() => this.#resize()).observe(canvas);
  }

  /** Shows models side by side, of which the first one has the skeleton, and ghosts where the first one is. */
  show(models: Model[], ghosts: Model[] = []): void {
    for (const model of [...this.#models, ...this.#ghosts]) this.#scene.remove(model.root);
    this.#models = models;
    this.#ghosts = ghosts;
    for (const ghost of ghosts) this.#scene.add(ghost.root);
    const size = models[0] ? models[0].bounds().getSize(new three.Vector3()) : new three.Vector3(1, 1, 1);
    models.forEach((model, i) => {
      model.root.position.x = i * (size.x || 1) * 1.2;
      this.#scene.add(model.root);
    });
    this.overlay.use(models[0] ?? null, size.length());
  }

  /** Looks at everything that is seen, from a little to the side and above. */
  fit(direction = new three.Vector3(0.54, 0.34, 0.77)): void {
    const box = new three.Box3();
    for (const model of this.#models) box.union(model.bounds().clone().translate(model.root.position));
    if (box.isEmpty()) box.set(new three.Vector3(-1, 0, -1), new three.Vector3(1, 1, 1));
    const sphere = box.getBoundingSphere(new three.Sphere());
    const radius = sphere.radius || 1;
    this.#size = radius;
    const aspect = Math.min(this.#perspective.aspect, 1);
    const distance = (radius / Math.sin((FIELD / 2) * (Math.PI / 180)) / aspect) * 1.02;
    this.#camera.position.copy(sphere.center).addScaledVector(direction.normalize(), distance);
    this.#controls.target.copy(sphere.center);
    this.#flat.zoom = 1;
    this.#reach();
    this.#controls.update();
  }

  /** How far is seen, and how much without perspective. */
  #reach(): void {
    const distance = this.#camera.position.distanceTo(this.#controls.target) || 1;
    this.#perspective.near = Math.max(distance - this.#size * 20, distance / 200);
    this.#perspective.far = distance + this.#size * 40;
    this.#perspective.updateProjectionMatrix();
    const half = this.#size * 1.05;
    const { aspect } = this.#perspective;
    const [x, y] = aspect > 1 ? [half * aspect, half] : [half, half / aspect];
    Object.assign(this.#flat, { left: -x, right: x, top: y, bottom: -y, near: -this.#size * 40, far: this.#size * 80 });
    this.#flat.updateProjectionMatrix();
  }

  get isFlat(): boolean {
    return this.#camera === this.#flat;
  }

  set isFlat(isFlat: boolean) {
    const next = isFlat ? this.#flat : this.#perspective;
    next.position.copy(this.#camera.position);
    next.quaternion.copy(this.#camera.quaternion);
    this.#camera = next;
    this.#controls.object = next;
    this.#reach();
    this.#controls.update();
    this.touch();
  }

  get eye(): Eye {
    return {
      position: this.#camera.position.toArray(),
      target: this.#controls.target.toArray(),
      isFlat: this.isFlat,
    };
  }

  set eye({ position, target, isFlat }: Eye) {
    this.isFlat = isFlat;
    this.#camera.position.set(...position);
    this.#controls.target.set(...target);
    this.#reach();
    this.#controls.update();
  }

  /** Where from it is looked, in degrees around and up. */
  get direction(): { azimuth: number; elevation: number } {
    const back = this.#camera.position.clone().sub(this.#controls.target).normalize();
    const degrees = 180 / Math.PI;
    return { azimuth: Math.atan2(back.x, back.z) * degrees, elevation: Math.asin(back.y) * degrees };
  }

  /** Looks through a camera of the model, which looks along -Z of its node. */
  lookThrough(node: number): void {
    const model = this.#models[0];
    if (!model) return;
    const matrix = new three.Matrix4().fromArray(model.frame, model.scene.layout.nodes + node * 16);
    const position = new three.Vector3().setFromMatrixPosition(matrix);
    const ahead = new three.Vector3(0, 0, -1).transformDirection(matrix);
    this.isFlat = false;
    this.#camera.position.copy(position);
    this.#controls.target.copy(position).addScaledVector(ahead, this.#size * 2);
    this.#reach();
    this.#controls.update();
  }

  /** The turn from the scene's space into the viewer's, for what follows the viewer. */
  camera(into: Float32Array): Float32Array {
    const { x, y, z, w } = this.#camera.quaternion;
    into.set([-x, -y, -z, w]);
    return into;
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.setSize(width, height, false);
    this.#perspective.aspect = width / height;
    this.#reach();
    this.draw();
  }

  /** Something is to be drawn another way. */
  touch(): void {
    this.#isStale = true;
  }

  /** Draws, if anything changed. */
  refresh(): void {
    if (this.#isStale) this.draw();
  }

  draw(): void {
    this.#isStale = false;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.#camera.updateMatrixWorld();
    this.overlay.update(this.#camera, width, height);
    this.#renderer.render(this.#scene, this.#camera);
  }

  /** The picture as a file, before nothing. */
  picture(): Promise<Blob> {
    this.draw();
    return new Promise((settle, fail) => {
      this.canvas.toBlob((blob) => (blob ? settle(blob) : fail(new Error("no picture"))), "image/png");
    });
  }
}
