create table nodes (
  node_id uuid primary key,
  host text not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);
comment on table nodes is 'One row per running process, which writes seen_at twice a minute and removes its row when it stops.';
