"""File → Export: what was changed goes back into the model's own files, and nothing else does."""

import os
import tempfile

import bpy
import galvani
from bpy.props import BoolProperty, StringProperty
from bpy.types import Operator
from bpy_extras.io_utils import ExportHelper

from . import model, report, sequences


class Made:
    """The model's files as they would be written, and what differs."""

    def __init__(self, context):
        scene = context.scene
        self.old = model.files(scene)
        base = model.base(scene)
        made = galvani.from_gltf(exported(), base=base, **model.settings(scene))
        self.files, self.findings = made.files, made.findings
        self.own = next(iter(self.files))
        self.findings += sequences.apply(scene, self)
        self.changes = [row for name in self.files for row in self.differences(name)]

    def open(self, files, name):
        return galvani.open(files[name], name=name, beside=files)

    def differences(self, name):
        """What differs in a file, as rows of `galvani diff` with its name."""
        if self.old.get(name) == self.files[name]:
            return []
        if name not in self.old:
            return [{"path": name, "old": None, "new": f"{len(self.files[name])} bytes"}]
        rows = galvani.diff(self.open(self.old, name), self.open(self.files, name))
        return [row | {"path": f"{name}: {row['path']}"} for row in rows]

    def check(self):
        """What is wrong with the files as they would be written."""
        return [found for name in self.files for found in self.open(self.files, name).validate()]

    def save(self, path):
        """Writes the files: the own one there, the others beside it, or all of them into an archive."""
        folder, name = os.path.split(path)
        named = {name: self.files[self.own]} | {n: b for n, b in self.files.items() if n != self.own}
        if os.path.isfile(folder):
            archive = galvani.open(folder)
            for member, bytes_ in named.items():
                archive.members[member] = bytes_
            archive.save(folder)
            return
        for file, bytes_ in named.items():
            is_changed = self.old.get(self.own if file == name else file) != bytes_
            target = os.path.join(folder, file)
            if file == name or is_changed or not os.path.exists(target):
                os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
                galvani.open(bytes_, name=file, beside=named).save(target)


def movable():
    """Everything that Blender's exporter may move."""
    for thing in bpy.context.scene.objects:
        yield thing
        yield from thing.pose.bones if thing.pose else ()


def exported():
    """The scene as glTF. Blender's exporter leaves things where its last clip had them: they are put back."""
    stood = [(thing, thing.matrix_basis.copy()) for thing in movable()]
    try:
        return written()
    finally:
        for thing, place in stood:
            thing.matrix_basis = place


def written():
    """What Blender's exporter writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.glb")
        alone = {"use_active_scene": True} if len(bpy.data.scenes) > 1 else {}
        bpy.ops.export_scene.gltf(filepath=path, export_format="GLB", export_extras=True, **alone)
        with open(path, "rb") as file:
            return file.read()


class ExportGalvani(Operator, ExportHelper):
    """Write the model back into its own files: what was not changed stays as it was, byte for byte"""

    bl_idname = "export_scene.galvani"
    bl_label = "Export Game Model"

    filename_ext = ""
    check_extension = None
    filter_glob: StringProperty(default="*", options={"HIDDEN"})
    show_changes: BoolProperty(
        name="Show Changes", description="Show what will change before anything is written", default=True
    )

    @classmethod
    def poll(cls, context):
        return model.has_model(context.scene)

    def invoke(self, context, event):
        self.filepath = next(iter(model.files(context.scene)), "")
        return super().invoke(context, event)

    def execute(self, context):
        try:
            made = Made(context)
            report.fill(context, made.findings, made.changes)
            if self.show_changes and not bpy.app.background:
                Confirm.made, Confirm.path = made, self.filepath
                return bpy.ops.galvani.confirm("INVOKE_DEFAULT")
            made.save(self.filepath)
        except (galvani.Error, model.NoModel) as error:
            return report.failed(self, context, error)
        return {"FINISHED"}


class Confirm(Operator):
    """Write the files"""

    bl_idname = "galvani.confirm"
    bl_label = "What Will Change"
    bl_options = {"INTERNAL"}

    made, path = None, ""

    def invoke(self, context, _event):
        return context.window_manager.invoke_props_dialog(self, width=600, confirm_text="Write")

    def draw(self, context):
        report.draw_changes(self.layout, context)
        report.draw_findings(self.layout, context)

    def execute(self, context):
        try:
            Confirm.made.save(Confirm.path)
        except galvani.Error as error:
            return report.failed(self, context, error)
        return {"FINISHED"}


class Preview(Operator):
    """Show what an export would change, and check the files that it would write"""

    bl_idname = "galvani.validate"
    bl_label = "Validate"

    @classmethod
    def poll(cls, context):
        return model.has_model(context.scene)

    def execute(self, context):
        try:
            made = Made(context)
            report.fill(context, made.findings + made.check(), made.changes)
        except (galvani.Error, model.NoModel) as error:
            return report.failed(self, context, error)
        return {"FINISHED"}


def menu(self, _context):
    self.layout.operator(ExportGalvani.bl_idname, text="Game Model (its own files)")


CLASSES = (ExportGalvani, Confirm, Preview)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.TOPBAR_MT_file_export.append(menu)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(menu)
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
