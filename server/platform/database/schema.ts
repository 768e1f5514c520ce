import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder with today's schema, a file per room. */
export const schemaFolder = join(import.meta.dirname, '../../schema')

/** The rooms of the schema, in an order in which each refers to earlier ones only. */
export const schemaRooms = [
  'shared',
  'saml-configs',
  'organizations',
  'services',
  'people',
  'memberships',
  'access',
  'messages',
  'invitations',
  'sessions',
  'secrets',
  'limits',
  'directory',
  'lists',
  'audit-events',
  'audit-chain',
  'audit-removal',
  'audit-erasure',
  'figures',
  'operation',
] as const

/** Today's schema in one text: what all migrations together make. */
export const readSchema = (): string =>
  schemaRooms.map((room) => `-- ${room}.sql\n\n${readFileSync(join(schemaFolder, `${room}.sql`), 'utf8')}`).join('\n')
