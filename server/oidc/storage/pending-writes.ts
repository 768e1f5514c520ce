import { type Configuration, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { System } from '#server/platform/system.ts'
import { hashId } from '../hash-id.ts'
import { ProviderProblem, runForProvider } from '../provider-problem.ts'
import { presentRecord, recordOf } from '../requests/request-record.ts'
import type { ArtifactRow, SavedSession, WaitingWrites } from '../requests/waiting-writes.ts'
import { writeRequest } from './write-request.ts'

const current = () => presentRecord()?.writes
const keyOf = (model: string, idHash: Buffer) => `${model} ${idHash.toString('hex')}`

/** Writes a row at the end of the request, or at once outside of requests. */
export async function writeArtifact(system: System, row: ArtifactRow): Promise<void> {
  const writes = current()
  if (writes) writes.artifacts.set(keyOf(row.model, row.idHash), row)
  else await runForProvider(writeRequest(system, { artifacts: [row] }))
}

/** Writes a session likewise. */
export async function writeSession(system: System, id: string, session: SavedSession): Promise<void> {
  const writes = current()
  if (writes) writes.sessions.set(id, session)
  else await runForProvider(writeRequest(system, { session }))
}

/**
 * Marks a code or refresh token as used up at the end of the request, in the statement that writes the tokens: of two
 * requests that exchange it at once, only one gets any.
 *
 * @returns false where this is no such request
 */
export function consumeAtTheEnd(model: string, id: string): boolean {
  const writes = current()
  if (!writes || Provider.ctx?.oidc.route !== 'token') return false
  writes.exchanged = { model, idHash: hashId(id) }
  return true
}

/** Notes at the end of the request that a person entered a service. */
export function noteEntry(entry: NonNullable<WaitingWrites['entry']>): void {
  const writes = current()
  if (writes) writes.entry = entry
}

/** A row that this request is about to write. */
export function findUnwritten(model: string, id: string): ArtifactRow | undefined {
  const { artifacts } = current() ?? {}
  return artifacts?.size ? artifacts.get(keyOf(model, hashId(id))) : undefined
}

/** Forgets rows that this request was about to write. */
export function forgetUnwritten(matches: (row: ArtifactRow) => boolean): void {
  const { artifacts } = current() ?? {}
  for (const [key, row] of artifacts ?? []) if (matches(row)) artifacts?.delete(key)
}

async function writeAll(system: System, { artifacts, sessions, exchanged, entry }: WaitingWrites): Promise<void> {
  const more = [...sessions.values()]
  // A code is always marked as used, whatever else is written.
  const session = exchanged ? undefined : more.shift()
  await writeRequest(system, {
    artifacts: [...artifacts.values()],
    session,
    ...(exchanged && { exchanged }),
    ...(entry && { entry }),
  })
  for (const one of more) await writeRequest(system, { session: one })
}

type RenderError = NonNullable<Configuration['renderError']>

/** Writes what the requests of this provider save, before they are answered. */
export function writeAtTheEnd(provider: Provider, system: System, renderError: RenderError): void {
  provider.use(async (ctx, next) => {
    const writes: WaitingWrites = { artifacts: new Map(), sessions: new Map() }
    recordOf(ctx.req).writes = writes
    await next()
    try {
      await runForProvider(writeAll(system, writes))
    } catch (error) {
      // An internal request that changes a session shows no page: its caller asks the person to try again.
      const isInternal = ctx.respond === false && writes.sessions.size > 0
      if (!(error instanceof errors.OIDCProviderError) || isInternal) throw error
      for (const name of ['location', 'set-cookie']) ctx.remove(name)
      ctx.status = error.statusCode
      if (error instanceof ProviderProblem && error.problem.retryAfter)
        ctx.set('retry-after', String(error.problem.retryAfter))
      const { error: code, error_description: description = '' } = error
      await renderError(ctx as KoaContextWithOIDC, { error: code, error_description: description }, error)
      if (error instanceof errors.InvalidGrant) provider.emit('grant.error', ctx, error)
    }
  })
}
