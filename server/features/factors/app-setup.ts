import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { base32 } from '#server/credentials/factors/totp.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { seal, unseal } from '#server/platform/secrets/sealing.ts'
import type { Session, System } from '#server/platform/system.ts'

/** Milliseconds between the QR code and the first code of the app. */
const lifetime = 15 * 60_000
/** RFC 4226, 4: R6. */
const secretBytes = 20

const stored = z.object({ secret: z.string(), expiresAt: z.number() })

// Nothing is stored before the app is confirmed: the browser keeps the secret, sealed for this session.
const cell = (session: Session) => ({ table: 'authenticator_apps', column: 'setup', row: session.uid })

interface Context {
  config: Pick<System['config'], 'companyName'>
  keys: Keys
  session: Session
  now: Date
}

/** A new secret: for people, for the QR code, and sealed. */
export function beginSetup({ config, keys, session, now }: Context) {
  const bytes = randomBytes(secretBytes)
  const secret = base32(bytes)
  const content = JSON.stringify({ secret: bytes.toString('base64'), expiresAt: now.getTime() + lifetime })
  return {
    secret,
    uri: keyUri({ secret, issuer: `Vestibule (${config.companyName})`, account: session.user.email }),
    setup: seal(keys, 'fields', cell(session), content).toString('base64url'),
  }
}

/** The form that apps read (Google Authenticator's key URI format). A colon ends the issuer. */
function keyUri({ secret, issuer, account }: { secret: string; issuer: string; account: string }): string {
  const name = issuer.replaceAll(':', ' ')
  const parameters = [
    ['secret', secret],
    ['issuer', name],
    ['algorithm', 'SHA1'],
    ['digits', '6'],
    ['period', '30'],
  ]
  // Some apps show a plus sign for a blank that is written as one.
  const query = parameters.map(([key, value]) => `${key}=${encodeURIComponent(value ?? '')}`).join('&')
  return `otpauth://totp/${encodeURIComponent(name)}:${encodeURIComponent(account)}?${query}`
}

/** @returns undefined when it is too old, changed, or of another session */
export async function openSetup(
  { keys, session, now }: Omit<Context, 'config'>,
  setup: string,
): Promise<Buffer | undefined> {
  try {
    const content = await unseal(keys, cell(session), Buffer.from(setup, 'base64url'))
    const { secret, expiresAt } = z.parse(stored, JSON.parse(content.toString('utf8')))
    return expiresAt > now.getTime() ? Buffer.from(secret, 'base64') : undefined
  } catch {
    return undefined
  }
}
