-- Someone who joined with an existing account meets the organisation's sign-in method as a floor (product-rules 11.4).

alter table organizations add column require_login_method boolean not null default false;
comment on column organizations.require_login_method is
  'Everybody in the organisation must meet its sign-in method, also those whose account it opened.';

alter table invitations add column guest boolean not null default false;
comment on column invitations.guest is 'Takes somebody from elsewhere with their own sign-in into an organisation with organisation sign-in.';

-- The first membership of an account is that of the organisation that opened it, unless the audit log says that its person
-- joined. All others were joined, and so is what the earlier version still adds. A default rewrites no row.
alter table memberships add column entry text not null default 'opened' check (entry in ('opened', 'joined', 'guest'));
update memberships m set entry = case when o.login_method = 'saml' then 'guest' else 'joined' end
from organizations o
where o.organization_id = m.organization_id and (
  exists (
    select from memberships earlier where earlier.account_id = m.account_id
      and (earlier.created_at, earlier.organization_id) < (m.created_at, m.organization_id))
  or exists (
    select from audit_events e where e.name = 'joinOrganization' and e.target_id = m.account_id::text
      and m.organization_id = any (e.organization_ids)));
alter table memberships alter column entry set default 'joined';
comment on column memberships.entry is
  '"opened": by the invitation that opened the account; "joined": with an existing account, so that the organisation''s sign-in method is the floor; "guest": likewise, with the own sign-in in an organisation with organisation sign-in.';

-- Whether a session that has proven these methods (amr, RFC 8176) may enter. One place says so, to every query.
create function meets_floor(
  entry text, required boolean, login_method text, organization_saml integer, account_saml integer, amr jsonb
) returns boolean language sql immutable parallel safe
  return coalesce(case
    when entry = 'opened' and not required then true
    when login_method = 'local' then true
    when login_method = 'local2FA' then amr ?| array['otp', 'swk']
    when login_method = 'bankid' then amr ? 'swk'
    when login_method = 'saml' then entry = 'guest' or (amr ? 'fed' and organization_saml = account_saml)
  end, false);
