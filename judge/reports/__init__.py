"""Reports, receipts and notices: views select what a reader may know, templates word it.

`phases.phase_reports` renders events, `render.reply` the receipt of a mail, `render.notice` the rest.
"""
