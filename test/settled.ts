/** A trigger on each row of a table that notes some services of organisations. */
const notes = (table: string, when: string, services: string) => `
  create function watch.note_${table}() returns trigger language plpgsql security definer as $$
    declare x record := coalesce(new, old);
    begin insert into watch.services ${services} on conflict do nothing; return null; end $$;
  create trigger watch_groups after ${when} on ${table} for each row execute function watch.note_${table}();`

const found = (what: string, rows: string) => `
    if exists (${rows}) then raise exception 'groups: % in service %', '${what}', new.service_id; end if;`

const here = (alias: string) =>
  `${alias}.organization_id = new.organization_id and ${alias}.service_id = new.service_id`

/**
 * Refuses the commit of whatever leaves people without what their groups give, though a seat is free, or with what no group gives
 * any more: who changes a group, or frees a seat, calls `server/accounts/group-access.ts`. In a schema of its own: no part of the
 * product.
 */
const groupWatch = `
  create table watch.services (xid xid8 default pg_current_xact_id(), organization_id uuid, service_id uuid,
    primary key (xid, organization_id, service_id));
  ${notes('group_members', 'insert or update or delete', 'select default_xid, x.organization_id, s.service_id from group_services s where s.group_id = x.group_id')}
  ${notes('group_services', 'insert or update or delete', 'values (default, x.organization_id, x.service_id)')}
  ${notes('group_service_roles', 'insert or delete', 'select default_xid, g.organization_id, x.service_id from groups g where g.group_id = x.group_id')}
  ${notes('service_assignments', 'delete', 'values (default, x.organization_id, x.service_id)')}
  ${notes('all_grants', 'delete', 'select default_xid, x.organization_id, x.in_service_id where x.in_service_id is not null')}
  ${notes('organization_services', 'update', 'values (default, x.organization_id, x.service_id)')}
  ${notes('service_roles', 'update', 'select default_xid, o.organization_id, x.service_id from organization_services o where o.service_id = x.service_id')}
  ${notes('memberships', 'update', 'select distinct default_xid, g.organization_id, g.service_id from group_grants g where g.account_id = x.account_id and g.organization_id = x.organization_id')}
  create function watch.check_groups() returns trigger language plpgsql security definer as $$
  declare o record;
  begin
    delete from watch.services where xid = new.xid and ${here('services')};
    select * into o from organization_services where ${here('organization_services')};
    if not found then return null; end if;
    ${found(
      'somebody has what no group gives',
      `select from service_assignments a where ${here('a')} and a.source is null and not exists (
      select from group_grants g where g.account_id = a.account_id and ${here('g')} offset 0)`,
    )}
    ${found(
      'somebody has a role that no group gives',
      `select from service_role_assignments h where ${here('h')} and h.source = 'group' and not exists (
      select from group_role_grants g where g.account_id = h.account_id and ${here('g')} and g.role_id = h.role_id offset 0)`,
    )}
    ${found(
      'somebody waits beside a free seat',
      `select from waiting_grants w where ${here('w')} and w.role_id is null
      and (o.max_number_of_users is null or o.seats_used < o.max_number_of_users)`,
    )}
    ${found(
      'somebody waits for a free role',
      `select from (select * from waiting_grants w where ${here('w')} and w.role_id is not null offset 0) as w
      join service_roles r using (role_id)
      where exists (select from service_assignments a where a.account_id = w.account_id and ${here('a')} offset 0)
        and r.removed_at is null and (r.max_people is null or r.max_people > (
          select count(*) from service_role_assignments h where ${here('h')} and h.role_id = r.role_id))
        and not exists (
          select from service_role_assignments h join service_roles other using (service_id, role_id)
          where h.account_id = w.account_id and ${here('h')} and (other.key = any (r.excludes) or r.key = any (other.excludes)) offset 0)`,
    )}
    return null;
  end $$;
  create constraint trigger check_groups after insert on watch.services deferrable initially deferred
    for each row execute function watch.check_groups();`.replaceAll('default_xid', 'pg_current_xact_id()')

/** Likewise refuses another person's change of a number that counted without `server/accounts/taken-number.repository.ts`. */
const numberWatch = `
  create function watch.check_number() returns trigger language plpgsql security definer as $$
    begin raise exception 'numbers: % keeps a code by mail', new.account_id; end $$;
  create trigger check_number after update of phone_number, ssn_index on users for each row
    when (new.mail_refused is null and (
      old.phone_number is distinct from new.phone_number and old.phone_claim is null and old.phone_number is not null
        and new.phone_claim = 'admin'
      or old.ssn_index is distinct from new.ssn_index and old.ssn_claim is null and old.ssn_proof = 'bankid' and new.ssn_claim = 'admin'))
    execute function watch.check_number();`

/**
 * Likewise refuses who becomes a member, or whom a directory reaches from now on, without the groups in which the directory has
 * them: `server/accounts/directory-groups.ts`.
 */
const directoryWatch = `
  create table watch.joined (xid xid8 default pg_current_xact_id(), account_id uuid, organization_id uuid,
    primary key (xid, account_id, organization_id));
  create function watch.note_joined() returns trigger language plpgsql security definer as $$
    begin insert into watch.joined values (default, new.account_id, new.organization_id) on conflict do nothing; return null; end $$;
  create trigger watch_joined after insert on memberships for each row execute function watch.note_joined();
  create function watch.note_reached() returns trigger language plpgsql security definer as $$
    begin
      insert into watch.joined select distinct pg_current_xact_id(), new.account_id, o.organization_id
      from scim_users s join organizations o using (organization_id)
      where s.account_id = new.account_id
        and directory_reaches(new.operates, new.email_proof, new.login_method, new.saml_config_id, o.login_method, o.saml_config_id)
        and not directory_reaches(old.operates, old.email_proof, old.login_method, old.saml_config_id, o.login_method, o.saml_config_id)
      on conflict do nothing;
      return null;
    end $$;
  create trigger watch_reached after update of super_user, has_portal_role, email_proof, login_method, saml_config_id on users
    for each row execute function watch.note_reached();
  create function watch.check_joined() returns trigger language plpgsql security definer as $$
  begin
    delete from watch.joined where xid = new.xid and account_id = new.account_id and organization_id = new.organization_id;
    if exists (
      select from directory_members d join scim_group_members x using (scim_user_id) join scim_groups g using (scim_group_id)
      where d.account_id = new.account_id and d.organization_id = new.organization_id and x.let_in and g.group_id is not null
        and not exists (select from group_members m
          where m.group_id = g.group_id and m.account_id = new.account_id and m.source = 'directory'))
    then raise exception 'directories: % is not in their groups', new.account_id; end if;
    if exists (
      select from scim_users s join users u on u.email = s.email join memberships m on m.account_id = u.account_id
      where u.account_id = new.account_id and not u.operates and s.organization_id = new.organization_id
        and m.organization_id = new.organization_id and s.account_id is null)
    then raise exception 'directories: % is not their person', new.account_id; end if;
    return null;
  end $$;
  create constraint trigger check_joined after insert on watch.joined deferrable initially deferred
    for each row execute function watch.check_joined();`

/** What test databases refuse to commit. It needs the schema of `proof-writes.ts`. */
export const settledWatch = groupWatch + numberWatch + directoryWatch
