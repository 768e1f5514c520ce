alter table saml_configs
  add column post_requests boolean not null default false,
  add column post_logout boolean not null default false,
  add column logout_response_url text check (logout_response_url ~ '^https?://'),
  add column clock_skew_seconds integer not null default 30 check (clock_skew_seconds between 0 and 300);
comment on column saml_configs.post_requests is 'The identity provider takes requests by HTTP-POST alone.';
comment on column saml_configs.post_logout is 'It takes sign-outs by HTTP-POST alone.';
comment on column saml_configs.logout_response_url is 'Where it takes the answers to its sign-outs (ResponseLocation). Null: where it takes sign-outs.';
comment on column saml_configs.clock_skew_seconds is 'By how much its clock may differ from ours.';
