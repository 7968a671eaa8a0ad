-- The four roles of the database, and what each may do:
--
--   indexer   owns the projection: schemas "projection", "indexer_*", "ponder_sync".
--   gateway   reads the views of "projection" and the tables of "audit"; owns schema "gateway" and nothing else.
--   auditor   reads the views of "projection"; owns schema "audit" and nothing else.
--   analyst   reads the views of "projection", and nothing else.
--
-- Run it as a superuser, or as a role with CREATEROLE that owns the database and everything in it, on a database of its own:
--
--   psql --single-transaction -v ON_ERROR_STOP=1 -f deployments/database-roles.sql "$DATABASE_OF_THE_OWNER"
--
-- It can be run again at any time. On a database where one role owns everything, it hands each schema to its owner; stop the
-- indexer and the gateways first, because that locks every table for a moment. It sets no passwords: set them with
-- \password (psql) or ALTER ROLE, and give each process the DATABASE_URL of its own role.

do $$
declare
  wanted text;
begin
  foreach wanted in array array['indexer', 'gateway', 'auditor', 'analyst'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I login', wanted);
      exception when duplicate_object or unique_violation then
        null; -- This script, run on another database of the server, was first.
      end;
    end if;
  end loop;
end $$;

-- Analysts cannot take the connections of the server. A limit that was set here or by hand stays. On Postgres 16 and later, the processes may
-- use what `reserved_connections` of the server keeps from all other roles; granting that needs a superuser.
do $$
declare
  process text;
begin
  if (select rolconnlimit from pg_roles where rolname = 'analyst') = -1 then
    alter role analyst connection limit 10;
  end if;
  if current_setting('server_version_num')::int >= 160000 and (select rolsuper from pg_roles where rolname = current_user) then
    foreach process in array array['indexer', 'gateway', 'auditor'] loop
      if not pg_has_role(process, 'pg_use_reserved_connections', 'member') then
        execute format('grant pg_use_reserved_connections to %I', process);
      end if;
    end loop;
  end if;
exception when internal_error or unique_violation then
  null; -- This script, run on another database of the server, changes the roles at this moment.
end $$;

-- Who is no superuser must be a member of a role to hand it anything.
do $$
begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant indexer, gateway, auditor to %I', current_user);
  end if;
end $$;

-- The database: nobody but these roles connects; only the indexer makes schemas and temporary tables.
do $$
begin
  execute format('revoke all on database %I from public, gateway, auditor, analyst', current_database());
  execute format('grant connect, create, temporary on database %I to indexer', current_database());
  execute format('grant connect on database %I to gateway, auditor, analyst', current_database());
end $$;
revoke all on schema public from public;

create schema if not exists projection;
create schema if not exists gateway;
create schema if not exists audit;

-- Hands over objects that another role made here. An index, a row type and a sequence of a column follow their table.
do $$
declare
  place record;
  thing record;
begin
  for place in
    select oid, nspname as name, nspowner,
      case nspname when 'gateway' then 'gateway' when 'audit' then 'auditor' else 'indexer' end as owner
    from pg_namespace
    where nspname in ('projection', 'gateway', 'audit', 'ponder_sync') or nspname like 'indexer\_%'
  loop
    if pg_get_userbyid(place.nspowner) <> place.owner then
      execute format('alter schema %I owner to %I', place.name, place.owner);
    end if;
    for thing in
      select case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end
        || ' ' || oid::regclass as target
      from pg_class
      where relnamespace = place.oid and relkind in ('r', 'p', 'v', 'm', 'S') and pg_get_userbyid(relowner) <> place.owner
        and not exists (
          select from pg_depend
          where classid = 'pg_class'::regclass and objid = pg_class.oid and relkind = 'S' and deptype in ('a', 'i')
        )
      union all
      select 'routine ' || oid::regprocedure
      from pg_proc where pronamespace = place.oid and pg_get_userbyid(proowner) <> place.owner
      union all
      select 'type ' || oid::regtype
      from pg_type where typnamespace = place.oid and typtype in ('e', 'd') and pg_get_userbyid(typowner) <> place.owner
    loop
      execute format('alter %s owner to %I', thing.target, place.owner);
    end loop;
  end loop;
end $$;

-- Readers of the projection get its views and no more: a view reads its tables with the rights of its owner. The default privilege
-- covers the views of every later index.
grant usage on schema projection to gateway, auditor, analyst;
grant select on all tables in schema projection to gateway, auditor, analyst;
alter default privileges for role indexer in schema projection grant select on tables to gateway, auditor, analyst;

-- The gateway reports what the auditor found.
grant usage on schema audit to gateway;
grant select on all tables in schema audit to gateway;
alter default privileges for role auditor in schema audit grant select on tables to gateway;

-- A long read keeps the indexer from publishing a newer index. These are defaults, against mistakes: a session can change them.
do $$
begin
  execute format('alter role analyst in database %I set default_transaction_read_only = on', current_database());
  execute format('alter role analyst in database %I set statement_timeout = %L', current_database(), '30s');
  execute format('alter role analyst in database %I set idle_in_transaction_session_timeout = %L', current_database(), '30s');
end $$;

-- Functions that any role can call by default: large objects are written by nobody here, advisory locks (of the gateway's
-- migrations, among others) are not taken by analysts. Revoking needs a superuser.
do $$
declare
  callable regprocedure;
begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    for callable in
      select oid from pg_proc
      where pronamespace = 'pg_catalog'::regnamespace and proname ~ '^(pg_(try_)?advisory_|lo_|lowrite$)'
    loop
      execute format('revoke execute on function %s from public', callable);
    end loop;
    for callable in
      select oid from pg_proc
      where pronamespace = 'pg_catalog'::regnamespace and proname ~ '^pg_(try_)?advisory_'
    loop
      execute format('grant execute on function %s to indexer, gateway', callable);
    end loop;
  end if;
end $$;
