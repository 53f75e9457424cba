#!/bin/sh
# What a service's image runs: `start` (the default) or `migrate`, which brings the database of DATABASE_URL up to date and ends.
set -eu
case "${1:-start}" in
  start)
    program="services/$BELTWAY_SERVICE/src/main.ts"
    # The card sandbox, which is a package.
    [ -f "$program" ] || program="packages/$BELTWAY_SERVICE/src/main.ts"
    ;;
  migrate) program=scripts/deploy/migrate.ts ;;
  *) exec "$@" ;;
esac
# Of lines with one flag each: nothing in them is to be kept together by quotes.
exec node $(grep '^--' scripts/launcher/node-flags.txt) "$program"
