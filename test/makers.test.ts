import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from './test-app.ts'

/**
 * What becomes of a thing when the person behind it loses their right (security 158). Every column that names such a person is
 * here, and so is every table that holds a secret with which something can be done: a new one is classified, or this fails.
 */
const people = {
  'all_grants.given_by': 'is a record: no right',
  'audit_streams.answers_for': 'gets no events until a super user makes a new secret',
  'clients.secret_made_by':
    'has the rights of its service; what ends with somebody names it, so that its secret is changed',
  'invitation_groups.promised_by': 'gives what the promiser may still hand out',
  'invitation_service_roles.promised_by': 'gives what the promiser may still hand out',
  'invitation_services.promised_by': 'gives what the promiser may still hand out',
  'invitations.promised_by': 'gives what the promiser may still hand out',
  'invitations.invited_by': 'says who is told of a missing seat, if they may still see people: no right',
  'recoveries.asked_by': 'is asked again when it happens, and ends with the account (product-rules 4.12)',
  'saml_setups.made_by': 'ends when the maker may no longer do what it does',
  'scim_groups.decided_by': 'lets in nobody else until an admin decides again',
  'scim_tokens.answers_for': 'brings in nobody and changes nobody with rights until an admin confirms it',
  'scim_tokens.created_by': 'is the name that is shown: no right',
  'scim_users.waits_for': 'comes in while the token stands, never when it is gone',
  'audit_events.actor_id': 'is a record: no right',
  'audit_events_new.actor_id': 'is a record: no right',
  'audit_events_other.actor_id': 'is a record: no right',
  'audit_events_sealed.actor_id': 'is a record: no right',
  'access_reviews.finished_by': 'is a record: no right',
  'access_review_rows.decided_by': 'is a record: what was decided is done at once',
  'message_template_versions.published_by': 'is a record: a text has no right',
}

const secrets = {
  audit_streams: 'see answers_for',
  clients: 'see secret_made_by',
  saml_setups: 'see made_by: the link, and the secret of a draft that a super user approves',
  scim_tokens: 'see answers_for',
  authenticator_apps: "its person's own",
  data_copies: "its person's own",
  recovery_codes: "its person's own",
  saml_sessions: "its person's own",
  provider_artifacts: "its person's own",
  one_time_things: "its subject's own; sent to whom it is about",
  users: 'the person',
  keys: 'the portal',
  outbox_messages: 'mail on its way',
  saml_configs: 'made by super users for an organisation; reads no more than a sign-in there proves',
  organizations: 'no secret: how old passwords may be',
  audit_events: 'a record: no right',
  idempotency_keys: 'the answer of a call, for its caller alone',
  invitations: 'see promised_by',
  saml_domains: "what a DNS record has to say: it proves the organisation's domain, whoever asked",
}

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

const names = async (text: string): Promise<string[]> =>
  (await portal.system.pool.query(text)).rows.map(({ name }) => name).sort()

test('every column that names who is behind something says what becomes of it without them', async () => {
  const named = await names(`
    select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
      and (c.relname not like 'audit\\_events\\_%' or c.relname ~ '^audit_events_(new|other|sealed)$')
      and a.attname <> 'account_id' and (a.attname ~ '(_by|_for|maker|actor_id|owner_id)$' and a.attname <> 'opened_for' or exists (
        select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f'
          and k.confrelid = 'users'::regclass and a.attnum = any (k.conkey)))`)
  expect(named).toEqual(Object.keys(people).sort())
})

test('every table that holds a secret says whose right it has', async () => {
  const holding = await names(`
    select distinct table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE'
      and column_name ~ 'secret|token|password|sealed$|code'`)
  expect(holding).toEqual(Object.keys(secrets).sort())
})
