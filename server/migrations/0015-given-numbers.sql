alter table invitations add column ssn_given boolean not null default false;
comment on column invitations.ssn_given is
  'Whoever accepted gave a personal number that nobody had registered: sent again, the invitation may get another one.';
