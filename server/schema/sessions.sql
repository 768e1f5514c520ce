-- Sessions of the portal and of identity providers, what the OpenID Provider stores, and sign-outs on their way to services.

create table sessions (
  id_hash bytea primary key,
  uid text collate "C" not null,
  account_id uuid references users on delete cascade,
  auth_epoch integer,
  authenticated_at timestamptz,
  proofs jsonb not null default '{}',
  user_agent text,
  ip inet,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint session_uid_unique unique (uid)
);
comment on column sessions.id_hash is 'SHA-256 of the cookie''s value: a dump of the database holds no live session.';
comment on column sessions.proofs is 'When each factor was last proven in this session: its name, and milliseconds since the epoch.';
comment on column sessions.auth_epoch is 'The account''s auth_epoch at sign-in; the session is dead as soon as the two differ.';
-- An organisation may have shorter sessions than the portal; the shortest of a person's organisations counts (decision 0072).
create function shorten_session() returns trigger language plpgsql as $$
begin
  select least(new.expires_at, min(new.last_used_at + make_interval(mins => o.session_idle_minutes)),
      min(new.authenticated_at + make_interval(hours => o.session_max_hours)))
    into new.expires_at
    from current_memberships m join organizations o using (organization_id)
    where m.account_id = new.account_id and coalesce(o.session_idle_minutes, o.session_max_hours) is not null;
  return new;
end $$;
create trigger shorten_session before insert or update of expires_at on sessions
  for each row when (new.account_id is not null) execute function shorten_session();
create index sessions_by_account on sessions (account_id, last_used_at);
create index sessions_expired on sessions (expires_at);

create table new_browsers (
  account_id uuid not null references users on delete cascade,
  network text not null,
  day date not null,
  first_at timestamptz not null,
  browser text not null,
  language text not null check (language in ('en', 'sv', 'fi', 'fr')),
  sign_ins integer not null default 1 check (sign_ins > 0),
  told integer not null default 0 check (told between 0 and sign_ins),
  primary key (account_id, network, day)
);
comment on table new_browsers is
  'Sign-ins from browsers that an account had not used: one row for a network and a day, of which a job mails the owner.';
comment on column new_browsers.browser is 'Of the first one.';
comment on column new_browsers.told is 'How many of the sign-ins the owner has been mailed about.';
create index new_browsers_untold on new_browsers (first_at) where told < sign_ins;
create index new_browsers_by_day on new_browsers (day);

create table provider_artifacts (
  model text not null,
  id_hash bytea not null,
  payload jsonb not null,
  grant_id text collate "C",
  uid text collate "C",
  user_code text collate "C",
  account_id uuid references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (model, id_hash)
);
-- Nothing of the provider's but sessions is found by uid; most artifacts belong to no grant and to nobody.
create index provider_artifacts_by_grant on provider_artifacts (grant_id) where grant_id is not null;
create index provider_artifacts_by_account on provider_artifacts (account_id) where account_id is not null;
create index provider_artifacts_expired on provider_artifacts (expires_at);

create table logout_deliveries (
  id uuid primary key,
  client_id text collate "C" not null references clients on delete cascade,
  account_id uuid not null,
  sid text not null,
  sign_out uuid not null,
  state text not null check (state in ('queued', 'told', 'failed', 'untold')),
  reason text,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
comment on table logout_deliveries is 'One row per service and ended session (OpenID Connect Back-Channel Logout), queued in the transaction that ends it; the job in the queue carries only the id.';
comment on column logout_deliveries.account_id is 'No reference: a deleted account''s services are told after it is gone.';
comment on column logout_deliveries.sid is 'The session''s id at the service; it opens nothing.';
comment on column logout_deliveries.sign_out is 'What ended together: the page after a sign-out lists it.';
comment on column logout_deliveries.state is 'untold: the client has no address for logout tokens.';
create index logout_deliveries_by_sign_out on logout_deliveries (sign_out);
create index logout_deliveries_by_client on logout_deliveries (client_id, created_at);
create index logout_deliveries_by_time on logout_deliveries (created_at);

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
