#!/bin/sh
# Creates a database for each given service, owned by a login role of the same name; no other role may connect to the
# database. Without arguments, creates the databases of all services; PostgreSQL's image runs it like this on an empty
# volume. Idempotent: a repeated run sets the current passwords of the roles. PGHOST, PGUSER and PGPASSWORD name the
# server and its superuser; the password of ticketing's role is TICKETING_DATABASE_PASSWORD. Usage: databases.sh
# [identity catalog …]
set -eu
[ $# -gt 0 ] || set -- identity catalog ticketing payments media realtime
for service in "$@"; do
  variable=$(echo "$service" | tr '[:lower:]' '[:upper:]')_DATABASE_PASSWORD
  eval ": \"\${$variable:?is not set}\""
  psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set name="$service" --dbname postgres <<SQL
\getenv password $variable
select format('create role %I login', :'name') where not exists (select from pg_roles where rolname = :'name') \gexec
alter role :"name" login password :'password';
select format('create database %I owner %I', :'name', :'name')
  where not exists (select from pg_database where datname = :'name') \gexec
revoke all on database :"name" from public;
SQL
  echo "$service: there"
done
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --dbname postgres \
  --command 'revoke all on database postgres from public' --command 'revoke all on database template1 from public'
# The engine watch may read statistics of all databases, but no rows.
[ "$1" != watch ] || psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --dbname postgres --command 'grant pg_monitor to watch'
