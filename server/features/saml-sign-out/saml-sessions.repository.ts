import { createHmac } from 'node:crypto'
import { hashId } from '#server/oidc/hash-id.ts'
import type { Db } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/ids.ts'
import type { Key, Keys } from '#server/platform/secrets/keys.ts'
import { seal } from '#server/platform/secrets/sealing.ts'
import type { SamlSubject } from '#server/saml/subject.ts'

interface Asserted {
  samlConfigId: number
  /** The interaction that the person is signed in for. */
  uid: string
  accountId: string
  subject: SamlSubject | undefined
}

// Cookies live as long as a session, too.
const purpose = 'cookies'
const hashBy = (key: Key, kind: 'name' | 'index', value: string) =>
  createHmac('sha256', key.secret)
    .update(JSON.stringify(['samlSessions', kind, value]))
    .digest()
const hashes = (keys: Keys, kind: 'name' | 'index', value: string) =>
  keys.all(purpose).map((key) => hashBy(key, kind, value))

export const cellOf = (id: string) => ({ table: 'saml_sessions', column: 'sealed', row: id })

/** Keeps what the identity provider calls the person and its session there, until the session here has ended. */
export async function rememberSamlSession(
  db: Db,
  { keys, now }: { keys: Keys; now: Date },
  { samlConfigId, uid, accountId, subject }: Asserted,
): Promise<void> {
  if (!subject) return
  const id = newId()
  const key = keys.current(purpose)
  await db
    .insertInto('samlSessions')
    .values({
      id,
      samlConfigId,
      accountId,
      interactionHash: hashId(uid),
      nameHash: hashBy(key, 'name', subject.nameId),
      indexHash: subject.sessionIndex === undefined ? null : hashBy(key, 'index', subject.sessionIndex),
      sealed: seal(keys, purpose, cellOf(id), JSON.stringify(subject)),
      createdAt: now,
    })
    .execute()
}

/** A session that a configuration has signed in. */
export interface SamlSession {
  uid: string
  accountId: string
  email: string
}

/** Locks the sessions that this configuration has signed in under this name; with indexes only those of them. */
export async function findSamlSessions(
  db: Db,
  keys: Keys,
  { samlConfigId, nameId, sessionIndexes }: { samlConfigId: number; nameId: string; sessionIndexes: readonly string[] },
): Promise<SamlSession[]> {
  let query = db
    .selectFrom('samlSessions as m')
    .innerJoin('sessions as s', (join) =>
      join.onRef('s.uid', '=', 'm.sessionUid').onRef('s.accountId', '=', 'm.accountId'),
    )
    .innerJoin('users as u', 'u.accountId', 's.accountId')
    .select(['s.uid', 'u.accountId', 'u.email'])
    .where('m.samlConfigId', '=', samlConfigId)
    .where('m.nameHash', 'in', hashes(keys, 'name', nameId))
    .orderBy('s.uid')
    .forUpdate('s')
  if (sessionIndexes.length > 0)
    query = query.where(
      'm.indexHash',
      'in',
      sessionIndexes.flatMap((index) => hashes(keys, 'index', index)),
    )
  const found = await query.execute()
  return found.filter(({ uid }, place) => found.findIndex((other) => other.uid === uid) === place)
}

/** What the last identity provider that takes sign-outs called the person of a session. */
export const findSubjectOf = (db: Db, key: string) =>
  db
    .selectFrom('samlSessions as m')
    .innerJoin('sessions as s', 's.uid', 'm.sessionUid')
    .innerJoin('samlConfigs as c', 'c.id', 'm.samlConfigId')
    .select(['m.id', 'm.samlConfigId', 'm.sealed'])
    .where('s.idHash', '=', Buffer.from(key, 'hex'))
    .where('c.logoutUrl', 'is not', null)
    .where('c.active', '=', true)
    .orderBy('m.createdAt', 'desc')
    .orderBy('m.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** What single logout needs of a configuration. */
export const findSigner = (db: Db, id: number) =>
  db
    .selectFrom('samlConfigs')
    .select([
      'id',
      'name',
      'entityId',
      'certificate',
      'logoutUrl',
      'logoutResponseUrl',
      'postLogout',
      'clockSkewSeconds',
    ])
    .where('id', '=', id)
    .where('kind', '=', 'saml')
    .where('active', '=', true)
    .executeTakeFirst()
