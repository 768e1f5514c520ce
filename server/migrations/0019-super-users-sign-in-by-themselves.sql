-- A company's sign-in never lets a super user in, so one who has no other method is locked out. A password by a mailed
-- link opens such an account again.
with repaired as (
  update users set login_method = 'local', saml_config_id = null, auth_epoch = auth_epoch + 1, version = version + 1
  where super_user and login_method = 'saml'
  returning account_id, email
)
insert into audit_events (id, name, target_id, target, organization_ids, changes, request_id, created_at)
select gen_random_uuid(), 'updateUser', account_id, email,
  array(select organization_id from memberships where memberships.account_id = repaired.account_id),
  '[{"property": "loginMethod", "previousValue": "saml", "newValue": "local"}]', 'migration 0019', now()
from repaired;

alter table users add constraint user_super_is_never_saml check (not super_user or login_method <> 'saml');
