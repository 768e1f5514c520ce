-- A personal number is a claim until BankID, or a company's sign-in that the operator allows to assert numbers, has proven it.
-- Claims are not unique: somebody else's number, typed by anybody, must lock no one out (product-rules 11.8).
alter table saml_configs add column asserts_numbers boolean not null default false;
comment on column saml_configs.asserts_numbers is 'A super user lets the company prove the personal numbers of its people.';

alter table users drop constraint user_ssn_unique, add column ssn_proof text check (ssn_proof in ('bankid', 'company'));
comment on column users.ssn_index is 'HMAC of the personal number: finds it, and keeps proven ones unique, without decrypting it.';

-- Proven is a number that has not changed since its owner signed in with BankID.
update users u set ssn_proof = 'bankid', ssn_proven_at = coalesce(ssn_proven_at, proof.at)
from (
  select actor_id, max(created_at) as at from audit_events
  where name = 'loginSuccess' and actor_id is not null
    and jsonb_path_exists(changes, '$[*] ? (@.property == "method" && @.newValue == "bankid")')
  group by actor_id) proof
where u.account_id = proof.actor_id and u.ssn_index is not null
  and not exists (
    select from audit_events e
    where e.target_id = u.account_id::text and e.created_at > proof.at and e.name <> 'loginSuccess'
      and jsonb_path_exists(e.changes, '$[*] ? (@.property == "ssn")'));
update users set ssn_proof = 'bankid' where ssn_proven_at is not null and ssn_proof is null;

alter table users add constraint user_ssn_proof_whole check (
  (ssn_proof is null) = (ssn_proven_at is null) and (ssn_proof is null or ssn_index is not null));
create unique index user_proven_ssn on users (ssn_index) where ssn_proof is not null;
create index user_ssn on users (ssn_index) where ssn_index is not null;

-- What such a company has proven becomes a claim when a super user no longer lets it, whichever call does that.
create function numbers_become_claims() returns trigger language plpgsql as $$
begin
  update users set ssn_proof = null, ssn_proven_at = null where saml_config_id = new.id and ssn_proof = 'company';
  return null;
end $$;
create trigger numbers_become_claims after update of asserts_numbers on saml_configs
  for each row when (old.asserts_numbers and not new.asserts_numbers) execute function numbers_become_claims();
