create table saml_domains (
  saml_config_id integer not null references saml_configs on delete cascade,
  domain text not null check (domain = lower(domain) and position('.' in domain) > 0),
  token text not null,
  added_at timestamptz not null,
  proof text check (proof in ('dns', 'confirmed')),
  proven_at timestamptz,
  reason text,
  primary key (saml_config_id, domain),
  check ((proof is null) = (proven_at is null)),
  check ((proof is not distinct from 'confirmed') = (reason is not null))
);
-- It counts for one configuration. That of another one may wait, and then finds it taken.
create unique index saml_domain_taken on saml_domains (domain) where proof is not null;
comment on table saml_domains is 'Mail domains of a configuration beside its own. Only those with a proof count.';
comment on column saml_domains.token is 'What the TXT record of the domain has to say.';

create view saml_mail_domains as
  select id as saml_config_id, mail_domain from saml_configs
  union all
  select saml_config_id, domain from saml_domains where proof is not null;
comment on view saml_mail_domains is
  'People with an address in one of these domains, or below it, are sent to the sign-in of the configuration.';
-- Privileges are granted on tables; nothing in a view is secret from the roles of this database.
grant select on saml_mail_domains to public;
