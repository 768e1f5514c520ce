import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { schemaLists } from './method-lists.ts'
import { roleLists } from './role-lists.ts'

const lists = { ...schemaLists, ...roleLists }

/** The folder with today's schema, a file per room. */
export const schemaFolder = join(import.meta.dirname, '../../schema')

/** In an order in which each refers to earlier ones only. */
const ordered: readonly string[] = [
  'shared',
  'saml-configs',
  'organizations',
  'services',
  'people',
  'memberships',
  'groups',
  'saml-setups',
  'scim',
  'roles',
  'grants',
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
  'audit-cold',
  'figures',
  'operation',
  'service-roles',
  'group-access',
]
const others = readdirSync(schemaFolder)
  .map((file) => basename(file, '.sql'))
  .filter((room) => !ordered.includes(room))

/** The rooms of the schema, in the order in which a database gets them: those to which none of these refers come last, by name. */
export const schemaRooms: readonly string[] = [...ordered, ...others.sort()]

/**
 * The schema of a room, with the sign-in methods, roles and permissions of the contract where it has `{{…}}`.
 *
 * @throws for a list that there is not
 */
export const readRoom = (room: string): string =>
  readFileSync(join(schemaFolder, `${room}.sql`), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const list = lists[name]
    if (list === undefined)
      throw new Error(`${room}.sql names a list that neither method-lists.ts nor role-lists.ts has: ${name}`)
    return list
  })

/** Today's schema in one text: what all migrations together make. */
export const readSchema = (): string => schemaRooms.map((room) => `-- ${room}.sql\n\n${readRoom(room)}`).join('\n')
