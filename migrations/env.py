"""Run migrations on the connection that ``service.db.migrations`` hands over."""

from alembic import context

from service.db.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    # The caller has opened the transaction and ends it.
    transactional_ddl=False,
)
context.run_migrations()
