-- A restored copy sends nothing until an operator says that it may (decision 0046).
create table installation (
  id boolean primary key default true check (id),
  quarantined_since timestamptz
);
insert into installation default values;
comment on table installation is 'One row: facts about this copy of the data as a whole.';
comment on column installation.quarantined_since is 'While it is set nothing leaves: no mail, SMS, webhook or sign-out, and no job runs.';
