alter table services
  add column description text check (description <> ''),
  add column category text collate "sv-x-icu" check (category <> ''),
  add column icon text check (icon <> ''),
  add column icon_png bytea,
  add column requestable boolean not null default false,
  add constraint icon_png_has_address check ((icon_png is not null) = (icon like '/%'));
comment on column services.icon is 'The name of a glyph, or the address of icon_png, which holds its hash.';
comment on column services.requestable is 'Members of an organisation that has the service may ask its admins for access.';
create index services_by_icon on services (icon) where icon_png is not null;

create table service_categories (
  name text collate "sv-x-icu" primary key check (name <> ''),
  position integer not null
);
comment on table service_categories is 'The order of the groups in the launcher. A category that is missing here comes after these, by name.';

create table service_preferences (
  account_id uuid not null references users on delete cascade,
  service_id uuid not null references services on delete cascade,
  favourite boolean not null default false,
  last_used timestamptz,
  primary key (account_id, service_id)
);
create index service_preferences_by_service on service_preferences (service_id);
