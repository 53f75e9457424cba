#!/bin/sh
# Makes a database for each service named, with a login role of the same name that owns it; no other role may connect to it.
# Without names, as PostgreSQL's image runs it on an empty volume, for all of them. May run again at any time, and then gives
# roles the passwords that are set now. PGHOST, PGUSER and PGPASSWORD say where and as whom; the password of ticketing's role is
# TICKETING_DATABASE_PASSWORD. Usage: databases.sh [identity catalog …]
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
# The engine watch sees figures of all databases, and the rows of none.
[ "$1" != watch ] || psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --dbname postgres --command 'grant pg_monitor to watch'
