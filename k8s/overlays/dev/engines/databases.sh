#!/bin/sh
# Run once, on an empty volume: a database and a login role for each service, closed to the roles of the others.
set -eu
for service in identity catalog ticketing payments realtime media; do
  variable="$(echo "$service" | tr '[:lower:]' '[:upper:]')_DATABASE_PASSWORD"
  psql --no-psqlrc --set ON_ERROR_STOP=1 --username postgres <<SQL
\getenv password $variable
create role $service login password :'password';
create database $service owner $service;
revoke all on database $service from public;
SQL
done
psql --no-psqlrc --set ON_ERROR_STOP=1 --username postgres --command 'revoke all on database postgres from public'
