import type { samlSignOut } from '#contract/saml-sign-out/saml-sign-out.ts'
import { portalClientId } from '#server/oidc/clients.adapter.ts'
import { endSession } from '#server/oidc/end-sessions.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { createSignInTrace } from '#server/platform/http/sign-in-trace.ts'
import { addressKey } from '#server/platform/limits/address.ts'
import { recordOnce } from '#server/platform/secrets/one-time-tokens.ts'
import { generateToken } from '#server/platform/secrets/tokens.ts'
import { parseUsableCertificates } from '#server/saml/certificates.ts'
import { type LogoutRequest, logoutResponseXml, readLogoutRequest } from '#server/saml/logout-messages.ts'
import { readPostedRequest } from '#server/saml/posted-request.ts'
import { readSignedRequest } from '#server/saml/redirect-binding.ts'
import { ensure, Refusal } from '#server/saml/refusal.ts'
import { sendMessage } from '#server/saml/send-message.ts'
import { ownEntityId, sloUrl } from '#server/saml/service-provider.ts'
import { loadSigningKeys } from '#server/saml/signing-keys.ts'
import { finishCompanySignOut } from './company-sign-out.ts'
import { findSamlSessions, findSigner } from './saml-sessions.repository.ts'

type Context = RequestContext<typeof samlSignOut.receive> | RequestContext<typeof samlSignOut.receivePosted>
type Signer = NonNullable<Awaited<ReturnType<typeof findSigner>>>

/** A message as the browser brought it. */
interface Sent {
  SAMLRequest?: string | undefined
  SAMLResponse?: string | undefined
  RelayState?: string | undefined
}

/** By a redirect: the signature stands in the address. */
export const receiveRedirected = (context: RequestContext<typeof samlSignOut.receive>): Promise<string> =>
  receiveSignOut(context, context.query, async (certificates) => {
    const [, query = ''] = /\?(.*)$/s.exec(context.http.request.raw.url ?? '') ?? []
    return readSignedRequest(query, certificates)
  })

/** By a form: the signature stands in the message. */
export const receivePosted = (context: RequestContext<typeof samlSignOut.receivePosted>): Promise<string> =>
  receiveSignOut(context, context.input, (certificates) =>
    readPostedRequest(context.input.SAMLRequest ?? '', certificates),
  )

/**
 * Takes what an identity provider sends by the browser. A request needs no cookie: it names the sessions, and its signature
 * proves that the company may end them. One that is refused leads to the page that asks the person.
 */
async function receiveSignOut(
  context: Context,
  sent: Sent,
  verified: (certificates: readonly string[]) => Promise<string>,
): Promise<string> {
  const { db, now, params, limits, ip, http } = context
  const isAnswer = sent.SAMLResponse !== undefined && sent.SAMLRequest === undefined
  if (isAnswer) return finishCompanySignOut(db, now, params.id, sent.RelayState)
  await limits.take(db, [{ name: 'samlSignIn', key: addressKey(ip) }], now)
  try {
    const signer = await findSigner(db, Number(params.id))
    ensure(signer, 'no such configuration')
    const xml = await verified(parseUsableCertificates(signer.certificate))
    return await endNamedSessions(context, signer, { xml, relayState: sent.RelayState })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    http.request.log.warn({ samlConfigId: params.id, reason: error.message, err: error.cause }, 'SAML sign-out refused')
    return '/logout'
  }
}

async function endNamedSessions(
  context: Context,
  signer: Signer,
  { xml, relayState }: { xml: string; relayState: string | undefined },
): Promise<string> {
  const { db, config, keys, now, http, transact } = context
  const { id: samlConfigId, entityId, clockSkewSeconds } = signer
  const request = readLogoutRequest(xml, {
    entityId,
    destination: sloUrl(config, samlConfigId),
    now,
    clockSkew: clockSkewSeconds * 1000,
  })
  await transact(async (db, audit) => {
    ensure(await isNew(db, now, samlConfigId, request), 'the request was used before', 'replayed')
    for (const { uid, accountId, email } of await findSamlSessions(db, keys, { samlConfigId, ...request })) {
      const person = { id: accountId, label: email }
      const trace = createSignInTrace(http.request, { method: 'saml', client: portalClientId })
      audit({ name: 'logout', actor: person, target: person, after: { ...trace, signedOutBy: signer.name } })
      await endSession(db, uid)
    }
  })
  const destination = signer.logoutResponseUrl ?? signer.logoutUrl
  if (!destination) return '/signed-out'
  return sendMessage({
    ...{ db, now, baseUrl: config.baseUrl, id: samlConfigId, byPost: signer.postLogout },
    destination,
    name: 'SAMLResponse',
    xml: logoutResponseXml({
      id: `_${generateToken()}`,
      inResponseTo: request.id,
      destination,
      issuer: ownEntityId(config, samlConfigId),
      now,
    }),
    relayState,
    key: loadSigningKeys(keys)[0]?.key,
  })
}

const isNew = (db: Context['db'], now: Date, samlConfigId: number, { id, overAt }: LogoutRequest) =>
  recordOnce(db, {
    purpose: 'samlLogoutRequest',
    subject: String(samlConfigId),
    token: `${samlConfigId} ${id}`,
    now,
    expiresAt: overAt,
  })
