#!/bin/sh
# PostgreSQL's restore_command: fetches the file $1 of the archive to $2.
# A primary that crashed must come to the end of what it wrote before it learns of the next primary's timeline. Otherwise it goes past
# the place where the two part, and Patroni does not see that it must be rewound: it would never follow again.
case "$1" in
*.history)
  [ -e ${FOLDER}/data/backup_label ] ||
    ! ${POSTGRES_PROGRAMS}/pg_controldata -D ${FOLDER}/data | grep -q 'cluster state: *in production' || exit 1
  ;;
esac
exec pgbackrest --config=${FOLDER}/pgbackrest.conf --stanza=vestibule archive-get "$1" "$2"
