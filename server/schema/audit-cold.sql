-- Old months of the audit log in files outside the database. A checkpoint of audit-removal.sql lets their events and rows go; what
-- is here says where the chain goes on, so that it is verified over the files, or from one month to the next without them.

create table audit_cold_months (
  month text primary key check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  last_seq bigint not null unique,
  signed text not null,
  created_at timestamptz not null
);
comment on table audit_cold_months is 'Months of the audit log that are in files.';
comment on column audit_cold_months.last_seq is 'The last row of the chain that is in the file.';
comment on column audit_cold_months.signed is 'The file, its SHA-256, and the rows before its first one and at its end, signed by the portal.';

create function audit_month_end(month text) returns timestamptz language sql stable return
  to_date(month, 'YYYY-MM')::timestamp at time zone 'UTC' + interval '1 month';

create function refuse_young_month(month text) returns void language plpgsql as $$
begin
  if audit_month_end(month) > now() - interval '6 months' then
    raise exception 'this month of the audit log is too young' using errcode = 'insufficient_privilege';
  end if;
end $$;

create function keep_cold_month(month text, last_seq bigint, signed text, at timestamptz) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform refuse_young_month(month);
  if exists (
    select from audit_cold_months known
    where known.month >= keep_cold_month.month or known.last_seq >= keep_cold_month.last_seq
  ) then
    raise exception 'a later month is in cold storage already' using errcode = 'unique_violation';
  end if;
  insert into audit_cold_months (month, last_seq, signed, created_at) values (month, last_seq, signed, at);
end $$;

create function forget_cold_month(month text, at timestamptz) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform refuse_early_clock(at);
  perform refuse_young_month(month);
  delete from audit_cold_months known where known.month = forget_cold_month.month;
  return found;
end $$;
comment on function forget_cold_month is 'Of a month that is too old, with its file; whether it was there.';
