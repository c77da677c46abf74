"""File → Import: models, at their own frame rate, with an action for each of their clips."""

import math
import os
import tempfile

import bpy
import galvani
from bpy.props import FloatProperty, StringProperty
from bpy.types import Operator
from bpy_extras.io_utils import ImportHelper

from . import archives, model, report, sequences

FILES = "*.mdx;*.msh;*.hrc;*.d;*.lgp;*.rlb;*.lib"

# Frames a second of a model that does not move.
BLENDERS = 24.0


def options(text):
    """Options of `galvani convert`, as words with `=` between name and value."""
    pairs = (word.partition("=") for word in text.split())
    return {name: value if equals else True for name, equals, value in pairs}


def load(context, document, settings):
    """Puts a model into the scene, or into a new one where the scene has a model already."""
    found = []
    glb = document.to_glb(embed_source=True, findings=found, **settings)
    scene = context.scene
    if model.has_model(scene):
        scene = bpy.data.scenes.new(os.path.basename(document.name))
        context.window.scene = scene
    clips = document.clips
    rate = float(settings.get("fps") or max((clip.rate for clip in clips), default=BLENDERS))
    set_rate(scene, rate)
    show(glb)
    model.remember(scene, settings)
    finish_clips(scene, rate)
    sequences.fill(scene, document)
    report.fill(context, found + document.validate())
    return scene


def set_rate(scene, rate):
    """Keys fall on frames at the model's own rate, and nowhere else."""
    scene.render.fps = math.ceil(rate)
    scene.render.fps_base = math.ceil(rate) / rate
    # A thousand frames a second are shown as fast as they are, if not all of them.
    scene.sync_mode = "FRAME_DROP"


def show(glb):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.glb")
        with open(path, "wb") as file:
            file.write(glb)
        bpy.ops.import_scene.gltf(filepath=path, disable_bone_shape=True)


def actions_of(scene):
    """The actions of each clip, by the name that glTF has for it. Some versions of Blender need one for each object."""
    actions = {}
    for thing in scene.objects:
        for track in thing.animation_data.nla_tracks if thing.animation_data else ():
            for strip in track.strips:
                if strip.action:
                    actions.setdefault(track.name, set()).add(strip.action)
    return actions


def finish_clips(scene, rate):
    """Ranges, loops and events of the clips, which glTF has no place for."""
    actions, last = actions_of(scene), 0
    for name, row in model.clips(scene).items():
        end = row["duration"] * rate
        last = max(last, end)
        for action in actions.get(name, ()):
            action.use_frame_range = True
            action.frame_start, action.frame_end = 0, end
            action.use_cyclic = row.get("loop") == "wrap"
            for event in row.get("events", ()):
                action.pose_markers.new(event["name"]).frame = round(event["time"] * rate)
    scene.frame_start, scene.frame_end = 0, max(math.ceil(last - 1e-3), 1)
    scene.frame_set(0)


class ImportGalvani(Operator, ImportHelper):
    """Import a model of Parkan, Final Fantasy VII, Warcraft III or World of Warcraft, or open an archive of them"""

    bl_idname = "import_scene.galvani"
    bl_label = "Import Game Model"
    bl_options = {"REGISTER", "UNDO"}

    filter_glob: StringProperty(default=FILES + ";*", options={"HIDDEN"})
    textures: StringProperty(
        name="Textures",
        description="A folder or archive in which pictures and materials are looked for first",
        subtype="DIR_PATH",
    )
    fps: FloatProperty(
        name="Frame Rate",
        description="Frames a second of a model that does not say how many (MSH); 0 for the usual",
        default=0,
        min=0,
    )
    settings: StringProperty(
        name="Options", description="Options of galvani convert, such as lod=1 group=0 team=3 variants=yes"
    )

    def execute(self, context):
        try:
            textures = [bpy.path.abspath(self.textures)] if self.textures else []
            document = galvani.open(bpy.path.abspath(self.filepath), textures=textures)
            settings = options(self.settings) | ({"fps": self.fps} if self.fps else {})
            if archives.is_archive(document):
                archives.show(context, document)
                return {"FINISHED"}
            load(context, document, settings)
        except galvani.Error as error:
            return report.failed(self, context, error)
        return {"FINISHED"}


def menu(self, _context):
    self.layout.operator(ImportGalvani.bl_idname, text="Game Model or Archive (MDX, MSH, FF7, LGP, NRes)")


def register():
    bpy.utils.register_class(ImportGalvani)
    bpy.types.TOPBAR_MT_file_import.append(menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    bpy.utils.unregister_class(ImportGalvani)
