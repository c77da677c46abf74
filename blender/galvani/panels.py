"""The panels of the sidebar of 3D views."""

import bpy
from bpy.types import Panel

from . import archives, exporting, model, report, sequences


class Part:
    """What all panels have in common."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Galvani"


class OfModel(Part):
    """Only where a model is shown."""

    @classmethod
    def poll(cls, context):
        return model.has_model(context.scene)


class GALVANI_PT_model(OfModel, Panel):
    bl_label = "Model"

    def draw(self, context):
        known = model.record(context.scene)
        self.layout.label(text=f"{known['files'][0]['name']} ({known['format']})")
        self.layout.operator(exporting.Preview.bl_idname, icon="CHECKMARK")
        self.layout.operator(exporting.ExportGalvani.bl_idname, icon="EXPORT")


class GALVANI_PT_changes(OfModel, Panel):
    bl_label = "What Will Change"

    def draw(self, context):
        report.draw_changes(self.layout, context)


class GALVANI_PT_findings(Part, Panel):
    bl_label = "Findings"

    def draw(self, context):
        report.draw_findings(self.layout, context)


class GALVANI_PT_sequences(OfModel, Panel):
    bl_label = "Sequences"

    @classmethod
    def poll(cls, context):
        return len(context.scene.galvani_sequences) > 0

    def draw(self, context):
        sequences.draw(self.layout, context.scene)


class GALVANI_PT_archive(Part, Panel):
    bl_label = "Archive"

    def draw(self, context):
        archives.draw(self.layout, context)


CLASSES = (GALVANI_PT_model, GALVANI_PT_changes, GALVANI_PT_findings, GALVANI_PT_sequences, GALVANI_PT_archive)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)


def unregister():
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
