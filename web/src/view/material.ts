// Surfaces: what the library says of a material as three.js draws it.

import * as three from "three";
import type { Material, Scene, Texture } from "../library/types";

export type Mode = "textured" | "shaded" | "normals" | "wireframe" | "ghost";

const WRAPS = { repeat: three.RepeatWrapping, clamp: three.ClampToEdgeWrapping, mirror: three.MirroredRepeatWrapping };

/** The materials of a scene, made when something first shows them. */
export class Materials {
  #scene: Scene;
  #block: ArrayBuffer;
  #images = new Map<number, three.DataTexture["source"]>();
  #made = new Map<string, three.MeshLambertMaterial | three.MeshBasicMaterial>();
  /** For each material, those made of it, and their textures by picture. */
  #of = new Map<number, { material: three.MeshLambertMaterial | three.MeshBasicMaterial; maps: Map<number, three.Texture> }[]>();
  #plain = new Map<string, three.Material>();

  constructor(scene: Scene, block: ArrayBuffer) {
    this.#scene = scene;
    this.#block = block;
  }

  /** What a surface is drawn with. */
  of(index: number | null, hasColors: boolean, hasNormals: boolean, mode: Mode): three.Material {
    if (mode !== "textured") return this.#plainOne(mode, hasNormals);
    const key = `${index}:${hasColors}:${hasNormals}`;
    const known = this.#made.get(key);
    if (known) return known;
    const told = index === null ? undefined : this.#scene.materials[index];
    const made = this.#make(told, hasNormals);
    made.vertexColors = hasColors;
    this.#made.set(key, made);
    if (index !== null && told) {
      const maps = new Map<number, three.Texture>();
      if (told.texture && made.map) maps.set(told.texture.image, made.map);
      const all = this.#of.get(index) ?? [];
      all.push({ material: made, maps });
      this.#of.set(index, all);
    }
    return made;
  }

  #make(told: Material | undefined, hasNormals: boolean): three.MeshLambertMaterial | three.MeshBasicMaterial {
    const made =
      told?.unlit || !hasNormals ? new three.MeshBasicMaterial() : new three.MeshLambertMaterial();
    if (!told) return made;
    made.name = told.name;
    made.side = told.two_sided ? three.DoubleSide : three.FrontSide;
    if (told.texture) made.map = this.#texture(told.texture, told.texture.image);
    if (made instanceof three.MeshLambertMaterial && told.glow) {
      made.emissiveMap = this.#texture(told.glow, told.glow.image);
      made.emissive.setRGB(...told.emissive);
    }
    blend(made, told);
    return made;
  }

  #texture(told: Texture, image: number): three.Texture {
    const texture = new three.DataTexture();
    texture.source = this.#source(image);
    texture.wrapS = WRAPS[told.wrap[0]];
    texture.wrapT = WRAPS[told.wrap[1]];
    texture.magFilter = told.smooth ? three.LinearFilter : three.NearestFilter;
    texture.minFilter = three.LinearMipmapLinearFilter;
    texture.colorSpace = three.SRGBColorSpace;
    texture.flipY = false;
    texture.generateMipmaps = true;
    texture.channel = told.uv_set;
    texture.matrixAutoUpdate = false;
    texture.needsUpdate = true;
    return texture;
  }

  #source(index: number): three.DataTexture["source"] {
    const known = this.#images.get(index);
    if (known) return known;
    const image = this.#scene.images[index];
    const run = image?.pixels;
    const data = run ? new Uint8Array(this.#block, run.at, run.len * 4) : new Uint8Array(4);
    const made = new three.TextureSource({ data, width: image?.width ?? 1, height: image?.height ?? 1 });
    this.#images.set(index, made);
    return made;
  }

  #plainOne(mode: Mode, hasNormals: boolean): three.Material {
    const key = `${mode}:${hasNormals}`;
    const known = this.#plain.get(key);
    if (known) return known;
    const side = three.DoubleSide;
    const made =
      mode === "normals"
        ? new three.MeshNormalMaterial({ side, flatShading: !hasNormals })
        : mode === "ghost"
          ? new three.MeshBasicMaterial({ color: 0x7aa2d6, transparent: true, opacity: 0.15, depthWrite: false })
          : mode === "wireframe"
            ? new three.MeshBasicMaterial({ color: 0x7aa2d6, wireframe: true })
            : new three.MeshLambertMaterial({ color: 0xb8b8b8, side, flatShading: !hasNormals });
    this.#plain.set(key, made);
    return made;
  }

  /** Takes colours, pictures and texture coordinates from a frame. */
  apply(frame: Float32Array): void {
    const { colors, images, uvs } = this.#scene.layout;
    for (const [index, all] of this.#of) {
      const told = this.#scene.materials[index]!;
      const at = colors + index * 4;
      const image = frame[images + index]!;
      for (const { material, maps } of all) {
        const gain = told.mode === "add quarter" ? 0.25 : 1;
        material.color.setRGB(frame[at]! * gain, frame[at + 1]! * gain, frame[at + 2]! * gain);
        material.opacity = frame[at + 3]!;
        if (!told.texture || !material.map) continue;
        if (image >= 0) {
          let map = maps.get(image);
          if (!map) {
            map = this.#texture(told.texture, image);
            maps.set(image, map);
          }
          material.map = map;
        }
        const u = uvs + index * 6;
        // prettier-ignore
        material.map.matrix.set(frame[u]!, frame[u + 1]!, frame[u + 2]!, frame[u + 3]!, frame[u + 4]!, frame[u + 5]!, 0, 0, 1);
      }
    }
  }

  dispose(): void {
    for (const all of this.#of.values()) {
      for (const { material, maps } of all) {
        for (const map of maps.values()) map.dispose();
        if (material instanceof three.MeshLambertMaterial) material.emissiveMap?.dispose();
      }
    }
    for (const material of [...this.#made.values(), ...this.#plain.values()]) material.dispose();
  }
}

/** How a surface lies over what is behind it. */
function blend(made: three.Material, told: Material): void {
  if (told.mode === "opaque") return;
  if (told.mode === "mask") {
    made.alphaTest = told.cutoff;
    return;
  }
  made.transparent = true;
  made.depthWrite = false;
  if (told.mode === "add" || told.mode === "add quarter") made.blending = three.AdditiveBlending;
  if (told.mode === "multiply") {
    made.blending = three.CustomBlending;
    made.blendSrc = three.DstColorFactor;
    made.blendDst = three.ZeroFactor;
  }
  if (told.mode === "subtract") {
    made.blending = three.CustomBlending;
    made.blendEquation = three.ReverseSubtractEquation;
    made.blendSrc = three.SrcAlphaFactor;
    made.blendDst = three.OneFactor;
  }
}
