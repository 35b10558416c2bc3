"""Runs Alembic on the connection and in the transaction that `engine` passes in."""

from alembic import context

from counsel.storage.schema import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
)
with context.begin_transaction():
    context.run_migrations()
