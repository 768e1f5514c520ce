import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { knownCookie, knownPrefix, knownValue, readKnownBrowser } from '#server/platform/limits/known-browsers.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { generateToken } from '#server/platform/secrets/tokens.ts'
import type { Person } from './people.repository.ts'

// Seconds; as long as the signing key is kept. Every sign-in renews it.
const lifetime = 30 * 24 * 3600
// Keeps the cookies of a shared browser within the limit for request headers.
const maxPeople = 5

/**
 * Identifies a browser that has signed in to this account before. It has its own limit for wrong passwords, so an attacker
 * elsewhere cannot lock the owner out, and nor can colleagues behind the same address (security 13). It proves nothing else.
 */
export const knownBrowser = (
  request: FastifyRequest,
  context: { config: Config; keys: Keys },
  email: string,
): string | undefined => readKnownBrowser(request, context, knownCookie(context.config, email))

const provenPrefix = 'proven-'
/** Characters of a name that are random; the time since when the browser is known follows, in base 36. */
const tokenLength = 43

type Holder = Pick<Person, 'email' | 'browsersKnownFrom'>
type Context = { config: Config; keys: Keys }

/** Whether it has signed in to this account since its owner said that somebody else had been there. One of before that has no time. */
export function isKnownTo(request: FastifyRequest, context: Context, { email, browsersKnownFrom }: Holder): boolean {
  const name = knownBrowser(request, context, email)?.replace(provenPrefix, '')
  return name !== undefined && (Number.parseInt(name.slice(tokenLength), 36) || 0) >= (browsersKnownFrom ?? 0)
}

/**
 * Whether it signed in before its owner said so, and not since. Where a limit counts before the person is read, its cookie still
 * opened a budget of its own: it counts as a stranger as well.
 */
export const isCutOff = (request: FastifyRequest, context: Context, holder: Holder): boolean =>
  knownBrowser(request, context, holder.email) !== undefined && !isKnownTo(request, context, holder)

/** The same, of a browser in which more than a password has been proven to this account: a stolen one makes no further budgets. */
export function provenBrowser(request: FastifyRequest, context: Context, holder: Holder): string | undefined {
  const name = isKnownTo(request, context, holder) ? knownBrowser(request, context, holder.email) : undefined
  return name?.startsWith(provenPrefix) ? name : undefined
}

/**
 * Marks this browser as known to the account: under a new name, where the owner has cut off the earlier one.
 *
 * @param amr what was proven in it
 */
export function rememberBrowser(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  context: Context & { now: Date },
  holder: Holder,
  amr: readonly string[],
): void {
  const { config, now } = context
  const { email } = holder
  const own = knownCookie(config, email)
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: config.baseUrl.startsWith('https:') } as const
  const others = Object.keys(request.cookies).filter((name) => name.startsWith(knownPrefix(config)) && name !== own)
  for (const name of others.slice(maxPeople - 1)) reply.clearCookie(name, options)
  const proven = amr.includes('mfa') || amr.includes('fed')
  const known = isKnownTo(request, context, holder) ? knownBrowser(request, context, email) : undefined
  const present = proven ? provenBrowser(request, context, holder) : known
  const name = present ?? `${proven ? provenPrefix : ''}${generateToken()}${now.getTime().toString(36)}`
  reply.setCookie(own, knownValue(context, own, name), { ...options, maxAge: lifetime })
}
