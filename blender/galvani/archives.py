"""Archives: a panel lists what is in one, with small pictures of its models, and imports what is chosen."""

import bpy
import bpy.utils.previews
import galvani
from bpy.props import CollectionProperty, IntProperty, StringProperty
from bpy.types import Operator, PropertyGroup, UIList, WindowManager

from . import report

# Width and height of small pictures.
SMALL = (96, 96)

# Seconds between two pictures, so that Blender answers while they are drawn.
BREATH = 0.01


class Member(PropertyGroup):
    """A member of the archive that is open."""

    format: StringProperty()
    size: IntProperty()
    icon: IntProperty()


class GALVANI_UL_members(UIList):
    """Members with their pictures."""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _name):
        if item.icon:
            layout.label(text=item.name, icon_value=item.icon)
        else:
            layout.label(text=item.name, icon="FILE")
        layout.label(text=item.format)


class Open:
    """The archive that is open, and the pictures that were drawn of it."""

    document, pictures, waiting = None, None, []


def is_archive(document):
    """Whether a document holds models, and is none itself."""
    try:
        document.members
    except galvani.Refused:
        return False
    try:
        document.mesh()
    except galvani.Refused as error:
        return error.code == "file.no-scene"
    return False


def show(context, document):
    """Lists the members of an archive."""
    forget()
    Open.document, Open.pictures = document, bpy.utils.previews.new()
    manager = context.window_manager
    manager.galvani_archive = document.name
    for row in document.info().get("members") or named(document):
        member = manager.galvani_members.add()
        member.name, member.size = row["name"], row.get("size") or 0
        member.format = row.get("format") or ""
    Open.waiting = list(range(len(manager.galvani_members)))
    if not bpy.app.background:
        bpy.app.timers.register(draw_next)


def named(document):
    return [{"name": name} for name in document.members]


def draw_next():
    """Draws the next small picture; says when it wants to be called again."""
    if not Open.waiting:
        return None
    thumbnail(bpy.context.window_manager, Open.waiting.pop(0))
    return BREATH


def thumbnail(manager, index):
    """A small picture of a member, if it is a model or a picture; its pixels."""
    member = manager.galvani_members[index]
    try:
        pixels = picture(Open.document.documents[f"#{index}"])
    except galvani.Error:
        return None
    preview = Open.pictures.new(str(index))
    preview.image_size = SMALL
    preview.image_pixels_float = (pixels[::-1] / 255.0).ravel().tolist()
    member.icon = preview.icon_id
    return pixels


def picture(document):
    """What a member looks like: the model itself, or of a picture as many of its pixels as there is room for."""
    try:
        return document.render(size=SMALL)
    except galvani.Refused:
        image = document.image()
    rows, columns = ([int(i * side / most) for i in range(most)] for side, most in zip(image.shape[:2], SMALL))
    return image[rows][:, columns]


def forget():
    """Closes the archive."""
    manager = bpy.context.window_manager
    manager.galvani_members.clear()
    manager.galvani_archive = ""
    Open.waiting.clear()
    if Open.pictures is not None:
        bpy.utils.previews.remove(Open.pictures)
    Open.document = Open.pictures = None


class ImportMember(Operator):
    """Import the model that is chosen in the archive"""

    bl_idname = "galvani.import_member"
    bl_label = "Import Member"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        manager = context.window_manager
        return 0 <= manager.galvani_member < len(manager.galvani_members)

    def execute(self, context):
        from . import importing

        manager = context.window_manager
        try:
            document = Open.document.documents[f"#{manager.galvani_member}"]
            if is_archive(document):
                show(context, document)
            else:
                importing.load(context, document, {})
        except galvani.Error as error:
            return report.failed(self, context, error)
        return {"FINISHED"}


def draw(layout, context):
    manager = context.window_manager
    if not manager.galvani_archive:
        layout.label(text="File → Import opens archives, too")
        return
    layout.label(text=manager.galvani_archive)
    layout.template_list("GALVANI_UL_members", "", manager, "galvani_members", manager, "galvani_member", rows=8)
    if 0 <= manager.galvani_member < len(manager.galvani_members):
        member = manager.galvani_members[manager.galvani_member]
        if member.icon:
            layout.template_icon(icon_value=member.icon, scale=6)
    layout.operator(ImportMember.bl_idname, icon="IMPORT")


CLASSES = (Member, GALVANI_UL_members, ImportMember)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    WindowManager.galvani_members = CollectionProperty(type=Member)
    WindowManager.galvani_member = IntProperty()
    WindowManager.galvani_archive = StringProperty()


def unregister():
    if bpy.app.timers.is_registered(draw_next):
        bpy.app.timers.unregister(draw_next)
    forget()
    for name in ("members", "member", "archive"):
        delattr(WindowManager, f"galvani_{name}")
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
