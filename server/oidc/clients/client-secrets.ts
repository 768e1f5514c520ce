import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Provider } from 'oidc-provider'
import type { Db } from '#server/platform/database/database.ts'
import { seal, unseal } from '#server/platform/secrets/sealing.ts'
import type { System } from '#server/platform/system.ts'
import { runForProvider } from '../provider-problem.ts'
import type { ClientRow } from './client-rows.ts'

type Column = 'secret_sealed' | 'previous_secret_sealed'

/** The cell of a client's encrypted secret; encrypt it with the purpose `fields`. */
export const secretCell = (clientId: string, column: Column = 'secret_sealed') => ({
  table: 'clients',
  column,
  row: clientId,
})

/** A new secret, and the columns that hold it. */
export function newSecret({ keys }: Pick<System, 'keys'>, clientId: string, now: Date) {
  const secret = randomBytes(32).toString('base64url')
  const secretSealed = seal(keys, 'fields', secretCell(clientId), secret)
  return { secret, columns: { secretSealed, secretCreatedAt: now, secretUsedAt: null, secretMadeBy: null } }
}

/** The columns of a client without a previous secret. */
export const noPreviousSecret = {
  previousSecretSealed: null,
  previousSecretCreatedAt: null,
  previousSecretUsedAt: null,
  previousSecretEndsAt: null,
}

/** Reads the client's present secret. */
export const readSecret = async (
  { keys }: Pick<System, 'keys'>,
  { clientId, secretSealed }: Pick<ClientRow, 'clientId' | 'secretSealed'>,
) => (secretSealed ? (await unseal(keys, secretCell(clientId), secretSealed)).toString('utf8') : undefined)

/** The columns that keep the present secret as the previous one until `endsAt`. */
export async function keptSecret(system: Pick<System, 'keys'>, row: ClientRow, endsAt: Date) {
  const secret = await readSecret(system, row)
  if (secret === undefined) return noPreviousSecret
  return {
    previousSecretSealed: seal(system.keys, 'fields', secretCell(row.clientId, 'previous_secret_sealed'), secret),
    previousSecretCreatedAt: row.secretCreatedAt,
    previousSecretUsedAt: row.secretUsedAt,
    previousSecretEndsAt: endsAt,
  }
}

/** What the provider's client knows of its secrets, in addition to the present one. */
export interface SecretMetadata {
  previous_secret?: string | undefined
  /** Milliseconds. */
  previous_secret_ends_at?: number | undefined
  secret_used_at?: number | undefined
  previous_secret_used_at?: number | undefined
}
export const secretMetadataNames = [
  'previous_secret',
  'previous_secret_ends_at',
  'secret_used_at',
  'previous_secret_used_at',
] as const satisfies readonly (keyof SecretMetadata)[]

type SecretRow = Pick<
  ClientRow,
  'clientId' | 'secretUsedAt' | 'previousSecretSealed' | 'previousSecretUsedAt' | 'previousSecretEndsAt'
>

export async function secretMetadata({ keys }: System, row: SecretRow): Promise<SecretMetadata> {
  const { clientId, previousSecretSealed } = row
  if (!previousSecretSealed) return { secret_used_at: row.secretUsedAt?.getTime() }
  const cell = secretCell(clientId, 'previous_secret_sealed')
  return {
    secret_used_at: row.secretUsedAt?.getTime(),
    previous_secret: (await unseal(keys, cell, previousSecretSealed)).toString('utf8'),
    previous_secret_ends_at: row.previousSecretEndsAt?.getTime(),
    previous_secret_used_at: row.previousSecretUsedAt?.getTime(),
  }
}

const hour = 3_600_000
const digest = (secret: string) => createHash('sha256').update(secret).digest()
const isSame = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))

type Secretive = { clientId: string; clientSecret?: string } & SecretMetadata

/** The provider knows one secret per client. Here the previous one counts, too, until it ends, and a use is remembered. */
export function acceptTwoSecrets(provider: Provider, { db, clock }: System): void {
  const { prototype } = provider.Client as unknown as {
    prototype: { compareClientSecret(this: Secretive, given: string): Promise<boolean> }
  }
  prototype.compareClientSecret = async function compareClientSecret(given) {
    const now = clock()
    const present = isSame(this.clientSecret ?? '', given) && Boolean(this.clientSecret)
    const previous =
      isSame(this.previous_secret ?? '', given) &&
      Boolean(this.previous_secret) &&
      now.getTime() < Number(this.previous_secret_ends_at)
    const usedAt = present ? this.secret_used_at : this.previous_secret_used_at
    // To the hour: not every sign-in writes.
    if ((present || previous) && now.getTime() - (usedAt ?? 0) >= hour)
      await runForProvider(rememberUse(db, this.clientId, present ? 'secretUsedAt' : 'previousSecretUsedAt', now))
    return present || previous
  }
}

const rememberUse = (db: Db, clientId: string, column: 'secretUsedAt' | 'previousSecretUsedAt', now: Date) =>
  db
    .updateTable('clients')
    .set({ [column]: now })
    .where('clientId', '=', clientId)
    .execute()
