import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const features = join(import.meta.dirname, '../server/features')
/** The test that has the name of its room. */
const ofTheRooms = readdirSync(features).filter((room) => existsSync(join(features, room, `${room}.test.ts`)))

/**
 * The tests that also run on PostgreSQL 15, the oldest supported version, by file name: those of behaviour that may differ
 * between versions. All others run only on the bundled version.
 */
export const onPostgres15 = [
  // Every call, for three roles.
  'isolation',
  // The platform: migrations, the audit log, limits, queues, keys, one-time tokens and clean-up.
  'database-types',
  'migrate',
  'audit',
  'sealer',
  'retention',
  'move-months',
  'erasure',
  'repeated-failures',
  'schema',
  'erasure',
  'limits',
  'outbox',
  'keys',
  'one-time-tokens',
  'idempotency',
  'housekeeping',
  'remove-expired',
  'health',
  'serve-routes',
  // The provider.
  'session',
  'write-sign-in',
  'credentials',
  'totp',
  'organization-scope',
  'protocol',
  'api-tokens',
  'metrics',
  'service-client',
  'client-claims',
  'logout',
  'database-down',
  // Lists, searches and concurrent changes.
  'user-lists',
  'races',
  // The queries of every other room.
  ...ofTheRooms,
  'template-editor',
  'sent-texts',
  'refused-addresses',
  'figures',
  'todos',
  'set-services',
  'new-browsers',
  'webauthn',
  'group-admins',
  'export-users',
  'scim-users',
  'scim-groups',
  'holders',
  'unproven-account',
  'start',
  'own-sessions',
  'own-data',
  'invite',
  'accept-invitation',
  'reset-password',
  'orders.repository',
  'sign-ins',
  'replay',
  'saml-test',
  'company-oidc',
  'oidc-configs',
  'oidc-test',
  'backup',
  'demo-sign-ins',
  'what-ends',
]
