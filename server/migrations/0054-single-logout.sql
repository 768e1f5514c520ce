alter table saml_configs add column logout_url text check (logout_url ~ '^https?://');
comment on column saml_configs.logout_url is 'Where the identity provider takes sign-outs (HTTP-Redirect). Null: no single logout.';

create table saml_sessions (
  id uuid primary key,
  saml_config_id integer not null references saml_configs on delete cascade,
  account_id uuid not null references users on delete cascade,
  interaction_hash bytea not null,
  session_uid text collate "C",
  name_hash bytea not null,
  index_hash bytea,
  sealed bytea not null,
  created_at timestamptz not null
);
comment on table saml_sessions is 'What identity providers call the people and sessions that they signed in, for single logout. Goes with the session.';
comment on column saml_sessions.session_uid is 'Null until the browser has completed the sign-in. No foreign key: a session that is renewed is deleted and inserted.';
comment on column saml_sessions.name_hash is 'HMAC of the NameID.';
comment on column saml_sessions.index_hash is 'HMAC of the SessionIndex.';
comment on column saml_sessions.sealed is 'NameID and SessionIndex.';
create index saml_sessions_by_name on saml_sessions (saml_config_id, name_hash);
create index saml_sessions_by_session on saml_sessions (session_uid);
create index saml_sessions_by_interaction on saml_sessions (interaction_hash);
create index saml_sessions_by_account on saml_sessions (account_id);
create index saml_sessions_by_time on saml_sessions (created_at);
