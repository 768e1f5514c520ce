-- How a client's ID tokens and logout tokens are signed: discovery offers both, and a client is told of one (OpenID Connect
-- Registration 2).
alter table clients
  add column id_token_algorithm text not null default 'RS256' check (id_token_algorithm in ('RS256', 'ES256'));
