#!/bin/sh
# Sets the passwords of the roles of deployments/database-roles.sql. Postgres runs it once, in an empty volume.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" -v ON_ERROR_STOP=1 --quiet <<'SQL'
\getenv indexer INDEXER_PASSWORD
\getenv gateway GATEWAY_PASSWORD
\getenv auditor AUDITOR_PASSWORD
alter role indexer password :'indexer';
alter role gateway password :'gateway';
alter role auditor password :'auditor';
SQL
