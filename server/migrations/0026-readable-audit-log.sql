-- The audit log names people as they were named, and finds events by any part of a label, a name or by the thing.

create table former_names (
  account_id uuid not null,
  email text not null,
  first_name text,
  last_name text,
  until timestamptz not null default now(),
  search text collate "C" not null generated always as (folded(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))) stored
);
comment on table former_names is 'Names that people had until they were renamed or deleted: events from before keep them.';
create index former_names_by_account on former_names (account_id, until);

create function keep_former_name() returns trigger language plpgsql as $$
begin
  if old.first_name is not null or old.last_name is not null then
    insert into former_names (account_id, email, first_name, last_name)
      values (old.account_id, old.email, old.first_name, old.last_name);
  end if;
  return null;
end $$;
create trigger keep_name_of_renamed after update of first_name, last_name on users for each row
  when ((old.first_name, old.last_name) is distinct from (new.first_name, new.last_name))
  execute function keep_former_name();
create trigger keep_name_of_deleted after delete on users for each row execute function keep_former_name();

-- Millions of events have some thousand different labels. Text is searched among the labels, and events are then found by
-- whole labels. A btree holds no entry of more than 2,700 bytes, therefore only the beginning of a label.
create table audit_labels (
  label text not null,
  search text collate "C" not null generated always as (folded(label)) stored
);
comment on table audit_labels is
  'The beginnings of all labels in audit_events. Rarely a label stands here twice: a unique index would make changes wait for each other.';
create index audit_labels_by_label on audit_labels (label);
create index audit_labels_by_grams on audit_labels using gin (search_grams(search)) with (fastupdate = off);

create function keep_audit_labels() returns trigger language plpgsql as $$
begin
  insert into audit_labels (label)
    select distinct left(label, 300) from unnest(array[new.actor, new.target]) as labels (label)
    where label is not null
      and not exists (select from audit_labels as known where known.label = left(labels.label, 300));
  return null;
end $$;
create trigger keep_audit_labels after insert on audit_events for each row execute function keep_audit_labels();
insert into audit_labels (label)
  select distinct left(label, 300) from audit_events, unnest(array[actor, target]) as label where label is not null;

drop index audit_events_by_name;
create index audit_events_by_name on audit_events (name, created_at desc, id desc);
create index audit_events_by_actor on audit_events (left(actor, 300), created_at desc, id desc);
create index audit_events_by_target on audit_events (left(target, 300), created_at desc, id desc);
create index audit_events_by_target_id on audit_events (target_id, created_at, id);
