import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/database.ts'
import { UnsealError } from '#server/platform/secrets/envelope.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { consumeToken, issueToken } from '#server/platform/secrets/one-time-tokens.ts'
import { unseal } from '#server/platform/secrets/sealing.ts'
import { generateToken } from '#server/platform/secrets/tokens.ts'
import { logoutRequestXml } from '#server/saml/logout-messages.ts'
import { sendMessage } from '#server/saml/send-message.ts'
import { ownEntityId } from '#server/saml/service-provider.ts'
import { loadSigningKeys } from '#server/saml/signing-keys.ts'
import type { SamlSubject } from '#server/saml/subject.ts'
import { cellOf, findSigner, findSubjectOf } from './saml-sessions.repository.ts'

const beforehand = 'samlSignOut'
const underWay = 'samlSignOutAnswer'
const inTenMinutes = (now: Date) => new Date(now.getTime() + 10 * 60_000)

/**
 * Before a session ends: whether the company that signed it in takes sign-outs, too.
 *
 * @param goal where the sign-out ends
 * @returns a token for the page that goes on there
 */
export async function prepareCompanySignOut(db: Db, now: Date, key: string, goal: string): Promise<string | undefined> {
  const found = await findSubjectOf(db, key)
  if (!found) return undefined
  const { id, samlConfigId, sealed } = found
  const data = { id, sealed: sealed.toString('base64'), goal }
  return issueToken(db, { purpose: beforehand, subject: String(samlConfigId), now, expiresAt: inTenMinutes(now), data })
}

interface Context {
  db: Db
  config: Config
  keys: Keys
  now: Date
}

/** The address at the identity provider that signs the person out there; undefined if it has none any more. */
export async function continueAtCompany(
  { db, config, keys, now }: Context,
  token: string,
): Promise<string | undefined> {
  const used = await consumeToken(db, { purpose: beforehand, token, now })
  if (!used) return undefined
  const signer = await findSigner(db, Number(used.subject))
  if (!signer?.logoutUrl) return undefined
  const { id, sealed, goal = '/signed-out' } = used.data as { id: string; sealed: string; goal?: string }
  const subject = await opened(keys, id, sealed)
  if (!subject) return undefined
  const { logoutUrl: destination } = signer
  const issuer = ownEntityId(config, signer.id)
  return sendMessage({
    ...{ db, now, baseUrl: config.baseUrl, id: signer.id, byPost: signer.postLogout },
    destination,
    name: 'SAMLRequest',
    xml: logoutRequestXml(subject, { id: `_${generateToken()}`, destination, issuer, now }),
    relayState: await issueToken(db, {
      purpose: underWay,
      subject: String(signer.id),
      now,
      expiresAt: inTenMinutes(now),
      data: { goal },
    }),
    key: loadSigningKeys(keys)[0]?.key,
  })
}

async function opened(keys: Keys, id: string, sealed: string): Promise<SamlSubject | undefined> {
  try {
    return JSON.parse((await unseal(keys, cellOf(id), Buffer.from(sealed, 'base64'))).toString())
  } catch (error) {
    // Its key has retired.
    if (error instanceof UnsealError) return undefined
    throw error
  }
}

/**
 * The identity provider has answered. What it says is not read: the session had ended before it was asked.
 *
 * @returns where the sign-out ends
 */
export async function finishCompanySignOut(db: Db, now: Date, id: string, relayState = ''): Promise<string> {
  const used = await consumeToken(db, { purpose: underWay, token: relayState, now, subject: id })
  return String(used?.data.goal ?? '/signed-out')
}
