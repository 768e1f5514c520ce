#!/bin/sh
# Runs once, when the database is made: the owner, which migrates, and the role of the nodes. Neither is a superuser.
set -eu
psql --username postgres -v ON_ERROR_STOP=1 -v owner="$OWNER_PASSWORD" -v nodes="$DATABASE_PASSWORD" <<'SQL'
create role vestibule_owner login password :'owner';
create role vestibule login password :'nodes';
create database vestibule owner vestibule_owner;
SQL
