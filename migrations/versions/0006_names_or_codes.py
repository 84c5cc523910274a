"""Whether somebody is shown units and places by their names or by their codes

Revision: 0006, after 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("person") as person:
        person.add_column(sa.Column("in_words", sa.Boolean(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("person") as person:
        person.drop_column("in_words")
