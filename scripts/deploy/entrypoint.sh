#!/bin/sh
# Command of a service's image: `start` (the default) or `migrate`, which migrates the database of DATABASE_URL and
# exits.
set -eu
case "${1:-start}" in
  start)
    program="services/$BELTWAY_SERVICE/src/main.ts"
    # The card sandbox is a package.
    [ -f "$program" ] || program="packages/$BELTWAY_SERVICE/src/main.ts"
    ;;
  migrate) program=scripts/deploy/migrate.ts ;;
  *) exec "$@" ;;
esac
# The files have one flag per line, without spaces in it, so word splitting is safe. Only a few services have a file
# with flags of their own.
exec node $(grep -hs '^--' scripts/launcher/node-flags.txt "services/$BELTWAY_SERVICE/node-flags.txt") "$program"
