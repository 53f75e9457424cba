#!/bin/sh
# Starts an instance as a replica of the primary that the sentinels agree on; without sentinels, of the first instance.
set -eu
own=$HOSTNAME.redis-nodes
# Several times: an instance that is alone for a moment must not believe that it is the first of a new cluster.
for attempt in 1 2 3 4 5; do
  primary=$(REDISCLI_AUTH=$PASSWORD timeout 3 redis-cli -h redis-sentinels -p 26379 sentinel get-master-addr-by-name beltway 2>/dev/null | head -n 1 || true)
  case $primary in *.redis-nodes) break ;; *) primary='' && sleep 1 ;; esac
done
[ -n "$primary" ] || primary=${HOSTNAME%-*}-0.redis-nodes
set -- --requirepass "$PASSWORD" --masterauth "$PASSWORD" --save '' --appendonly no --maxmemory 128mb \
  --replica-announce-ip "$own" --repl-diskless-sync yes --dir /data
[ "$primary" = "$own" ] || set -- "$@" --replicaof "$primary" 6379
exec redis-server "$@"
