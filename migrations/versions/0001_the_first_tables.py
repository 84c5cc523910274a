"""The first tables

Revision: 0001, after
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "inbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("identity", sa.String(length=64), nullable=False),
        sa.Column("message_id", sa.String(length=255), nullable=True),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("source", sa.String(length=40), nullable=False),
        sa.Column("received_at", sa.DateTime(), nullable=False),
        sa.Column("envelope_from", sa.Text(), nullable=True),
        sa.Column("envelope_to", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("person", sa.Integer(), nullable=True),
        sa.Column("game", sa.String(length=40), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox")),
        sa.UniqueConstraint("identity", name=op.f("uq_inbox_identity")),
    )
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.create_index("ix_inbox_state_id", ["state", "id"], unique=False)

    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("message_id", sa.String(length=255), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("due", sa.DateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("person", sa.Integer(), nullable=True),
        sa.Column("game", sa.String(length=40), nullable=True),
        sa.Column("phase", sa.String(length=6), nullable=True),
        sa.Column("power", sa.String(length=20), nullable=True),
        sa.Column("inbox", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("recipient", sa.String(length=320), nullable=False),
        sa.Column("queued_at", sa.DateTime(), nullable=False),
        sa.Column("letter", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_outbox_key")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_message_id")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index("ix_outbox_game_person_kind", ["game", "person", "kind"], unique=False)
        batch_op.create_index("ix_outbox_inbox", ["inbox"], unique=False)
        batch_op.create_index("ix_outbox_recipient_queued_at", ["recipient", "queued_at"], unique=False)
        batch_op.create_index("ix_outbox_state_due", ["state", "due"], unique=False)

    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("address", name=op.f("uq_person_address")),
    )
    op.create_table(
        "secret",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secret")),
    )
    op.create_table(
        "confirmation",
        sa.Column("token", sa.String(length=40), nullable=False),
        sa.Column("inbox", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("expires", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["inbox"], ["inbox.id"], name=op.f("fk_confirmation_inbox")),
        sa.PrimaryKeyConstraint("token", name=op.f("pk_confirmation")),
    )
    with op.batch_alter_table("confirmation", schema=None) as batch_op:
        batch_op.create_index("ix_confirmation_address", ["address"], unique=False)

    op.create_table(
        "game",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("master", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("phase", sa.String(length=6), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.DateTime(), nullable=True),
        sa.Column("deadline", sa.DateTime(), nullable=True),
        sa.Column("closing_since", sa.DateTime(), nullable=True),
        sa.Column("due", sa.DateTime(), nullable=True),
        sa.Column("winner", sa.String(length=20), nullable=True),
        sa.ForeignKeyConstraint(["master"], ["person.id"], name=op.f("fk_game_master")),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_game")),
    )
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.create_index("ix_game_due", ["due"], unique=False)
        batch_op.create_index("ix_game_state", ["state"], unique=False)

    op.create_table(
        "filed_order",
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("phase", sa.String(length=6), nullable=False),
        sa.Column("power", sa.String(length=20), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("unit", sa.String(length=8), nullable=True),
        sa.Column("other", sa.String(length=8), nullable=True),
        sa.Column("target", sa.String(length=6), nullable=True),
        sa.Column("by_convoy", sa.Boolean(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.name"], name=op.f("fk_filed_order_game")),
        sa.PrimaryKeyConstraint("game", "phase", "power", "place", name=op.f("pk_filed_order")),
    )
    op.create_table(
        "history",
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=6), nullable=False),
        sa.Column("closed_at", sa.DateTime(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.name"], name=op.f("fk_history_game")),
        sa.PrimaryKeyConstraint("game", "place", name=op.f("pk_history")),
    )
    op.create_table(
        "member",
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("person", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("wish", sa.String(length=20), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["game.name"], name=op.f("fk_member_game")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_member_person")),
        sa.PrimaryKeyConstraint("game", "person", "role", name=op.f("pk_member")),
    )
    with op.batch_alter_table("member", schema=None) as batch_op:
        batch_op.create_index("ix_member_person", ["person"], unique=False)

    op.create_table(
        "seat",
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("power", sa.String(length=20), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("holder", sa.Integer(), nullable=True),
        sa.Column("serial", sa.Integer(), nullable=False),
        sa.Column("ready", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["game.name"], name=op.f("fk_seat_game")),
        sa.ForeignKeyConstraint(["holder"], ["person.id"], name=op.f("fk_seat_holder")),
        sa.PrimaryKeyConstraint("game", "power", name=op.f("pk_seat")),
    )


def downgrade() -> None:

    op.drop_table("seat")
    with op.batch_alter_table("member", schema=None) as batch_op:
        batch_op.drop_index("ix_member_person")

    op.drop_table("member")
    op.drop_table("history")
    op.drop_table("filed_order")
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.drop_index("ix_game_state")
        batch_op.drop_index("ix_game_due")

    op.drop_table("game")
    with op.batch_alter_table("confirmation", schema=None) as batch_op:
        batch_op.drop_index("ix_confirmation_address")

    op.drop_table("confirmation")
    op.drop_table("secret")
    op.drop_table("person")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index("ix_outbox_state_due")
        batch_op.drop_index("ix_outbox_recipient_queued_at")
        batch_op.drop_index("ix_outbox_inbox")
        batch_op.drop_index("ix_outbox_game_person_kind")

    op.drop_table("outbox")
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.drop_index("ix_inbox_state_id")

    op.drop_table("inbox")
