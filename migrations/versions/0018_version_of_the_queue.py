"""The version of the queue library's tables as a row of ours, and our index on its table removed

Revision: 0018, after 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

# Until now the version stood in a comment on the library's table, on which we had an index. The index leads to the
# table, whose name is not ours to know. Without a comment it is the version that we began with.
NOTED = """
INSERT INTO library (name, version)
SELECT 'procrastinate',
    coalesce(obj_description(indrelid, 'pg_class'), '03.04.00_50_post_add_retry_failed_job_procedure.sql')
FROM pg_index WHERE indexrelid = to_regclass('judge_jobs_lock')
"""
UNTOLD = """
DO $$ DECLARE jobs regclass;
BEGIN
    FOR jobs IN SELECT indrelid FROM pg_index WHERE indexrelid = to_regclass('judge_jobs_lock') LOOP
        EXECUTE format('COMMENT ON TABLE %s IS NULL', jobs);
    END LOOP;
END $$
"""


def upgrade() -> None:
    op.create_table(
        "library",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("version", sa.String(120), nullable=False),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(NOTED)
        op.execute(UNTOLD)
        op.execute("DROP INDEX IF EXISTS judge_jobs_lock")


def downgrade() -> None:
    op.drop_table("library")
