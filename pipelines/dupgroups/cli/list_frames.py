"""`dup-groups frames`: what several stories share, and what is therefore no evidence."""

from __future__ import annotations

from contextlib import closing

from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import existing
from dupgroups.cli.output import print_json, stdout
from dupgroups.text.terminal import plain


@commands.command("frames")
def frames(
    newest: options.Newest = 20,
    engine: options.Engine = None,
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """List the frames: text that several different stories have, such as notices, forms and columns' feet.

    Frames are learned from what is stored, and are no evidence that two documents are one story. Each is
    shown as one of the documents has it that taught it. If it is no frame, undo it by its number, and it is
    not learned again. Examples:

        dup-groups frames --engine sqlite:///news.db

        dup-groups undo 12 --engine sqlite:///news.db
    """
    from dupgroups.flow.frame_log import show_frames
    from dupgroups.presentation.wording import MAX_LEFT_OUT_CHARS
    from dupgroups.text.passages import shorten

    with closing(existing(engine, config)) as opened:
        listed = show_frames(opened, newest)
    if as_json:
        print_json(listed)
        return
    if not listed:
        stdout().print("no frames")
    for frame in listed:
        stdout().print(f"frame {frame.number}, as in {plain(', '.join(frame.ids))}:")
        text = plain(shorten(frame.text, MAX_LEFT_OUT_CHARS))
        stdout().print(f"    {text or '(these have it no longer, or only in pieces)'}", style="dim")
