"""What masters and players ask for: settings by timetable, planned orders, votes, a log, diaries

Revision: 0003, after 0002
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_LENGTHS = {"movement_length": "movement", "retreat_length": "retreat", "adjustment_length": "adjustment"}


def upgrade() -> None:
    with op.batch_alter_table("person") as person:
        person.add_column(sa.Column("short_receipts", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("game") as game:
        game.add_column(sa.Column("course", sa.Text(), nullable=False, server_default="{}"))
    with op.batch_alter_table("seat") as seat:
        seat.add_column(sa.Column("conduct", sa.Text(), nullable=False, server_default="{}"))
    with op.batch_alter_table("filed_order") as filed_order:
        filed_order.add_column(sa.Column("standing", sa.String(length=10), nullable=False, server_default="open"))
        filed_order.add_column(sa.Column("replaced_by", sa.Integer(), nullable=True))
    with op.batch_alter_table("member") as member:
        member.alter_column("wish", existing_type=sa.String(length=20), type_=sa.String(length=160))
    with op.batch_alter_table("history") as history:
        history.add_column(sa.Column("undone", sa.Integer(), nullable=False, server_default="0"))

    op.create_table(
        "log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("phase", sa.String(length=6), nullable=False),
        sa.Column("power", sa.String(length=20), nullable=True),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.name"], name=op.f("fk_log_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_log")),
    )
    op.create_index("ix_log_game", "log", ["game", "id"])
    op.create_table(
        "note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("phase", sa.String(length=6), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.name"], name=op.f("fk_note_game")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_note_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_note")),
    )
    op.create_index("ix_note_game_person", "note", ["game", "person"])
    _rewrite_settings(_with_timetables)


def downgrade() -> None:
    _rewrite_settings(_with_lengths)
    op.drop_table("note")
    op.drop_table("log")
    for table, columns in {
        "history": ("undone",),
        "filed_order": ("replaced_by", "standing"),
        "seat": ("conduct",),
        "game": ("course",),
        "person": ("short_receipts",),
    }.items():
        with op.batch_alter_table(table) as batch:
            for column in columns:
                batch.drop_column(column)
    with op.batch_alter_table("member") as member:
        member.alter_column("wish", existing_type=sa.String(length=160), type_=sa.String(length=20))


def _rewrite_settings(rewritten) -> None:  # noqa: ANN001
    games = sa.table("game", sa.column("name"), sa.column("settings"))
    connection = op.get_bind()
    for name, settings in connection.execute(sa.select(games.c.name, games.c.settings)).all():
        changed = json.dumps(rewritten(json.loads(settings)))
        connection.execute(games.update().where(games.c.name == name).values(settings=changed))


def _with_timetables(settings: dict) -> dict:
    """Lengths in seconds become timetables."""
    return {
        _LENGTHS.get(key, key): {"length": f"PT{int(value)}S"} if key in _LENGTHS else value
        for key, value in settings.items()
    }


def _with_lengths(settings: dict) -> dict:
    days = {"movement_length": 3, "retreat_length": 1, "adjustment_length": 1}
    known = ("map", "profile", "rules", "zone")
    return {key: settings[key] for key in known if key in settings} | {key: n * 86400.0 for key, n in days.items()}
