"""Public keys that signed reports, and their signatures on their successors

Revision: 0020, after 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None
kind = "expand"


def upgrade() -> None:
    op.create_table(
        "retired_key",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("public", sa.LargeBinary(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("retired_key")
