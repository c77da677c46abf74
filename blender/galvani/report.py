"""Findings and changes: lists that the panels show."""

import json

import bpy
import galvani
from bpy.props import CollectionProperty, IntProperty, StringProperty
from bpy.types import PropertyGroup, UIList, WindowManager

ICONS = {"error": "CANCEL", "warning": "ERROR", "note": "INFO"}

# Lines of a list that a dialog shows.
MOST_LINES = 20


class FindingRow(PropertyGroup):
    """A finding."""

    code: StringProperty()
    severity: StringProperty()
    place: StringProperty()
    message: StringProperty()
    help: StringProperty()


class ChangeRow(PropertyGroup):
    """A value that an export changes."""

    path: StringProperty()
    old: StringProperty()
    new: StringProperty()


class GALVANI_UL_findings(UIList):
    """Findings, each in a line."""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _name):
        layout.label(text=f"{item.place}: {item.message}", icon=ICONS.get(item.severity, "INFO"))


class GALVANI_UL_changes(UIList):
    """Changes, each in a line."""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _name):
        layout.label(text=f"{item.path}: {item.old} → {item.new}")


def fill(context, findings, changes=()):
    """Shows these findings and changes instead of what was shown."""
    manager = context.window_manager
    manager.galvani_findings.clear()
    for finding in findings:
        row = manager.galvani_findings.add()
        row.code, row.severity, row.help = finding.code, finding.severity, finding.help
        row.place, row.message = finding.path or finding.file, finding.message
    manager.galvani_changes.clear()
    for change in changes:
        row = manager.galvani_changes.add()
        row.path, row.old, row.new = change["path"], shown(change["old"]), shown(change["new"])


def shown(value):
    return "nothing" if value is None else value if isinstance(value, str) else json.dumps(value)


def failed(operator, context, error):
    """Tells people why something stopped, and where."""
    manager = context.window_manager
    manager.galvani_findings.clear()
    row = manager.galvani_findings.add()
    row.severity, row.message = "error", str(error)
    if isinstance(error, galvani.Error):
        row.code, row.place, row.message, row.help = error.code, error.path or error.file, error.message, error.help
    operator.report({"ERROR"}, f"{error} ({row.help})" if row.help else str(error))
    return {"CANCELLED"}


def draw_findings(layout, context):
    manager = context.window_manager
    if not manager.galvani_findings:
        layout.label(text="No findings", icon="CHECKMARK")
        return
    layout.template_list(
        "GALVANI_UL_findings", "", manager, "galvani_findings", manager, "galvani_finding", rows=4
    )
    if 0 <= manager.galvani_finding < len(manager.galvani_findings):
        row = manager.galvani_findings[manager.galvani_finding]
        layout.label(text=row.code)
        layout.label(text=row.help)


def draw_changes(layout, context):
    changes = context.window_manager.galvani_changes
    if not changes:
        layout.label(text="Nothing changes", icon="CHECKMARK")
        return
    layout.label(text=f"{len(changes)} values change")
    for change in changes[:MOST_LINES]:
        layout.label(text=f"{change.path}: {change.old} → {change.new}")
    if len(changes) > MOST_LINES:
        layout.label(text=f"… and {len(changes) - MOST_LINES} more")


CLASSES = (FindingRow, ChangeRow, GALVANI_UL_findings, GALVANI_UL_changes)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    WindowManager.galvani_findings = CollectionProperty(type=FindingRow)
    WindowManager.galvani_finding = IntProperty()
    WindowManager.galvani_changes = CollectionProperty(type=ChangeRow)
    WindowManager.galvani_change = IntProperty()


def unregister():
    for name in ("findings", "finding", "changes", "change"):
        delattr(WindowManager, f"galvani_{name}")
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
