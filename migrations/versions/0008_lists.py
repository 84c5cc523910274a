"""Under which head LIST shows a game, and what people wish

Revision: 0008, after 0007
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_HIDDEN, _NEW, _RUNNING = 0, 1, 3
_SOME = 500


def upgrade() -> None:
    with op.batch_alter_table("game") as game:
        game.add_column(sa.Column("shelf", sa.Integer(), nullable=False, server_default="0"))
        game.create_index("ix_game_shelf_name", ["shelf", "name"])
    with op.batch_alter_table("person") as person:
        person.add_column(sa.Column("wishes", sa.Text(), nullable=False, server_default="{}"))
    _put_on_shelves()


def _put_on_shelves() -> None:
    """A vacancy is found when the game is saved next."""
    connection = op.get_bind()
    game = sa.table("game", sa.column("name"), sa.column("state"), sa.column("settings"), sa.column("shelf"))
    page = sa.select(game.c.name, game.c.state, game.c.settings).where(game.c.state != "finished")
    page, after = page.order_by(game.c.name).limit(_SOME), ""
    while rows := connection.execute(page.where(game.c.name > after)).all():
        for name, state, settings in rows:
            listed = json.loads(settings).get("listed", True)
            shelf = _HIDDEN if not listed else _NEW if state == "forming" else _RUNNING
            connection.execute(sa.update(game).where(game.c.name == name).values(shelf=shelf))
        after = rows[-1][0]


def downgrade() -> None:
    with op.batch_alter_table("person") as person:
        person.drop_column("wishes")
    with op.batch_alter_table("game") as game:
        game.drop_index("ix_game_shelf_name")
        game.drop_column("shelf")
