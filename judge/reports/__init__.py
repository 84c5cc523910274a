"""What a reader sees: views select what they may know, templates say it in their language.

`phases.phase_reports` for events, `render.reply` for the receipt of a mail, `render.notice` for the rest.
"""
