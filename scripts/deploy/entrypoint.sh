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
# Of lines with one flag each: nothing in them is to be kept together by quotes. Few services have flags of their own.
exec node $(grep -hs '^--' scripts/launcher/node-flags.txt "services/$BELTWAY_SERVICE/node-flags.txt") "$program"
