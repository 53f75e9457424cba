#!/bin/sh
# Starts a sentinel, which writes what it learns into its file. Two of three decide that the primary is gone.
set -eu
# Several times: an instance that is alone for a moment must not believe that it is the first of a new cluster.
for attempt in 1 2 3 4 5; do
  primary=$(REDISCLI_AUTH=$PASSWORD timeout 3 redis-cli -h redis-sentinels -p 26379 sentinel get-master-addr-by-name beltway 2>/dev/null | head -n 1 || true)
  case $primary in *.redis-nodes) break ;; *) primary='' && sleep 1 ;; esac
done
[ -n "$primary" ] || primary=${HOSTNAME%-*}-0.redis-nodes
umask 077
cat > /data/sentinel.conf <<CONF
port 26379
dir /data
requirepass $PASSWORD
sentinel resolve-hostnames yes
sentinel announce-hostnames yes
sentinel announce-ip $HOSTNAME.redis-nodes
sentinel sentinel-pass $PASSWORD
sentinel monitor beltway $primary 6379 2
sentinel auth-pass beltway $PASSWORD
sentinel down-after-milliseconds beltway 3000
sentinel failover-timeout beltway 15000
CONF
exec redis-sentinel /data/sentinel.conf
