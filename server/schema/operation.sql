-- The installation as a whole: its running processes and their recurring jobs.

create table installation (
  id boolean primary key default true check (id),
  quarantined_since timestamptz
);
insert into installation default values;
comment on table installation is 'One row: facts about this copy of the data as a whole.';
-- A restored copy sends nothing until an operator says that it may (decision 0046).
comment on column installation.quarantined_since is 'While it is set nothing leaves: no mail, SMS, webhook or sign-out, and no job runs.';

create table nodes (
  node_id uuid primary key,
  host text not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  master_keys text[] not null default '{}'
);
comment on column nodes.master_keys is 'Fingerprints of the master keys that the process holds: a new one replaces the old when all processes hold it.';
comment on table nodes is 'One row per running process, which writes seen_at twice a minute and removes its row when it stops.';

create table job_runs (
  name text primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  failed boolean not null default false
);
comment on table job_runs is 'The latest run of each recurring job, on any node.';
