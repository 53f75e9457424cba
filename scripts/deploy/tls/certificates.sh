#!/bin/sh
# Creates a certificate authority in FOLDER/authority. For each NAME, creates a key and a certificate for that name in
# FOLDER/NAME, signed by the authority. Idempotent: replaces only certificates that expire within 30 days or were signed
# by another authority. With OWNER (a user id) only that user can read the folder. FOLDER/ca contains only the
# authority's certificate, readable by all users. Usage: certificates.sh FOLDER NAME[:OWNER] …
set -eu
folder=$1
shift
umask 077
days=397
renew_seconds=2592000

key_of() { openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1 -out "$1"; }

mkdir -p "$folder/authority" "$folder/ca"
authority="$folder/authority/ca.pem"
if [ ! -s "$authority" ]; then
  key_of "$folder/authority/ca.key"
  openssl req -x509 -new -key "$folder/authority/ca.key" -days 3650 -subj '/CN=Beltway services' -out "$authority.new"
  mv "$authority.new" "$authority"
fi
chmod 0755 "$folder" "$folder/ca"
cp "$authority" "$folder/ca/ca.pem"
chmod 0644 "$folder/ca/ca.pem"

for entry in "$@"; do
  name=${entry%%:*}
  own="$folder/$name"
  mkdir -p "$own"
  if ! { openssl x509 -noout -checkend "$renew_seconds" -in "$own/service.pem" \
      && openssl verify -CAfile "$authority" "$own/service.pem"; } > /dev/null 2>&1; then
    work=$(mktemp -d)
    key_of "$work/key"
    # Prometheus connects to all services under the same name.
    printf '%s\n' "subjectAltName=DNS:$name,DNS:metrics.beltway" 'basicConstraints=critical,CA:FALSE' \
      'keyUsage=critical,digitalSignature' 'extendedKeyUsage=serverAuth,clientAuth' > "$work/extensions"
    openssl req -new -key "$work/key" -subj "/CN=$name" -out "$work/request"
    openssl x509 -req -in "$work/request" -CA "$authority" -CAkey "$folder/authority/ca.key" \
      -set_serial "0x$(openssl rand -hex 16)" -days "$days" -extfile "$work/extensions" -out "$work/certificate"
    mv "$work/key" "$own/service.key"
    mv "$work/certificate" "$own/service.pem"
    rm -r "$work"
    echo "$name: a new certificate"
  fi
  cp "$authority" "$own/ca.pem"
  # Kafka reads key and certificate from one file.
  cat "$own/service.key" "$own/service.pem" > "$own/both.pem"
  case $entry in
    *:*) chown -R "${entry#*:}" "$own" ;;
  esac
done
