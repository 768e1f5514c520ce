#!/bin/sh
# Regenerates the simulator's certificates: its own CA, the server's, and the client's in all supported formats.
# They are for development and tests alone. The CA's key is thrown away: nothing else will ever be signed with it.
set -eu
cd "$(dirname "$0")/certificates"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
from=20200101000000Z
to=20591231235959Z
organization='Vestibule BankID simulator, for tests alone'

cat > "$work/openssl.cnf" <<EOF
[ca]
default_ca = simulator
[simulator]
database = $work/index
rand_serial = yes
new_certs_dir = $work
default_md = sha256
policy = any
copy_extensions = none
[any]
organizationName = supplied
commonName = supplied
[req]
distinguished_name = name
[name]
[issuer]
basicConstraints = critical, CA:true, pathlen:0
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = IP:127.0.0.1, IP:::1, DNS:localhost
[client]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = clientAuth
EOF
: > "$work/index"

key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1" 2>/dev/null; }
request() { openssl req -new -config "$work/openssl.cnf" -key "$1" -subj "/O=$organization/CN=$2" -out "$work/request.csr"; }
sign() {
  openssl ca -batch -notext -config "$work/openssl.cnf" -startdate "$from" -enddate "$to" -in "$work/request.csr" "$@" 2>/dev/null
}

key "$work/ca-key.pem"
request "$work/ca-key.pem" 'Simulator CA'
sign -selfsign -keyfile "$work/ca-key.pem" -extensions issuer -out ca.pem

key server-key.pem
request server-key.pem localhost
sign -cert ca.pem -keyfile "$work/ca-key.pem" -extensions server -out server.pem

# RSA, as BankID's own client certificates are.
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$work/client-key.pem" 2>/dev/null
request "$work/client-key.pem" 'Vestibule (test)'
sign -cert ca.pem -keyfile "$work/ca-key.pem" -extensions client -out "$work/client.pem"
cat "$work/client.pem" "$work/client-key.pem" > client.pem
p12() { openssl pkcs12 -export -in client.pem -name client -passout pass:qwerty123 "$@"; }
p12 -out client.p12
# As Windows and old versions of OpenSSL export it; Node cannot read it, and the portal says so.
p12 -legacy -out client-legacy.p12

# A client that no CA of the simulator's knows.
key "$work/stranger-key.pem"
request "$work/stranger-key.pem" 'Somebody else'
sign -selfsign -keyfile "$work/stranger-key.pem" -extensions client -out "$work/stranger.pem"
cat "$work/stranger.pem" "$work/stranger-key.pem" > stranger.pem
chmod 644 ./*
