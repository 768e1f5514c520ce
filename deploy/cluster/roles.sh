#!/bin/sh
# Patroni runs it once, when the database is made: the owner, which migrates, and the role of the portals. Neither is a superuser.
set -eu
exec psql --host=${FOLDER} --port=${POSTGRES_PORT} --username=postgres --no-psqlrc --set=ON_ERROR_STOP=1 --quiet postgres <<'SQL'
create role vestibule_owner login password '${OWNER_PASSWORD}';
create role vestibule login password '${DATABASE_PASSWORD}';
create database vestibule owner vestibule_owner;
SQL
