import { type CreationOptions, maxPasskeys, type Passkey, type passkeys } from '#contract/passkeys/passkeys.ts'
import { lockUser } from '#server/accounts/stored-user.repository.ts'
import { makeUsualIfFirst } from '#server/credentials/factors/factors.repository.ts'
import { lockLiveSession } from '#server/credentials/fresh-proof/live-session.repository.ts'
import { challengeLifetime, issueChallenge, takeChallenge } from '#server/credentials/passkeys/challenges.ts'
import { descriptorOf } from '#server/credentials/passkeys/descriptor.ts'
import { tellOfPasskey } from '#server/credentials/passkeys/passkey-mails.ts'
import { listKeys, makeHandle } from '#server/credentials/passkeys/passkeys.repository.ts'
import { algorithms } from '#server/credentials/passkeys/public-key.ts'
import { verifyNewKey } from '#server/credentials/passkeys/webauthn.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { deviceName } from '#server/platform/http/user-agent.ts'
import { newId } from '#server/platform/ids.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { describeKey, displayNameOf } from './describe-passkey.ts'
import { isProvenForKeys, requireEnrolment } from './enrolment.ts'
import { hasOtherDomain, insertKey, updateHolder } from './own-passkeys.repository.ts'

const purpose = 'newPasskey'

/** What the browser needs to make a key; the challenge is of this session. */
export async function beginPasskey(context: RequestContext<typeof passkeys.begin>): Promise<CreationOptions> {
  const { db, config, input, session, now } = context
  const { user } = session
  await requireEnrolment(context)
  const keys = await listKeys(db, user.accountId, config.passkeyRpId)
  if (keys.length >= maxPasskeys) throw new Problem(409, 'tooManyPasskeys')
  const handle = await makeHandle(db, user.accountId)
  const onTheWay = input.onTheWay === true && input.kind === 'passkey'
  if (onTheWay) await updateHolder(db, user.accountId, { askedOnTheWayAt: now })
  const data = { kind: input.kind, onTheWay }
  const isPasskey = input.kind === 'passkey'
  return {
    challenge: await issueChallenge(db, { purpose, subject: session.uid, now, data }),
    rp: { id: config.passkeyRpId, name: config.companyName },
    user: { id: handle.toString('base64url'), name: user.email, displayName: displayNameOf(user) },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeLifetime,
    excludeCredentials: keys.map(descriptorOf),
    authenticatorSelection: {
      residentKey: isPasskey ? 'required' : 'discouraged',
      requireResidentKey: isPasskey,
      userVerification: onTheWay ? 'preferred' : isPasskey ? 'required' : 'discouraged',
    },
    attestation: 'none',
    extensions: { credProps: true },
  }
}

/** Keeps a new key, by what it proved and not by what it is called. */
export async function createPasskey(context: RequestContext<typeof passkeys.create>): Promise<Passkey> {
  const { db, config, input, session, now, http } = context
  const { credential } = input
  await requireEnrolment(context)
  const begun = await takeChallenge(db, { purpose, subject: session.uid, credential, now })
  const onTheWay = begun?.data.onTheWay === true
  const asPasskey = begun?.data.kind === 'passkey'
  const key =
    begun &&
    verifyNewKey(context, {
      credential,
      challenge: begun.challenge,
      verified: asPasskey && !onTheWay,
      by: onTheWay ? 'browser' : 'person',
    })
  if (!key) throw new Problem(422, 'passkeyNotAccepted')
  const discoverable = asPasskey || (credential.clientExtensionResults?.credProps?.rk === true && key.verified)
  return context.transact(async (trx, audit) => {
    // Two at the same time take turns, so that the tenth is the last.
    await lockLiveSession(trx, session)
    const user = found(await lockUser(trx, session.user.accountId))
    // What weakened the proof since then counts.
    if (!(await isProvenForKeys({ ...context, db: trx }))) throw new Problem(403, 'freshProofRequired')
    const keys = await listKeys(trx, user.accountId, config.passkeyRpId)
    if (keys.length >= maxPasskeys) throw new Problem(409, 'tooManyPasskeys')
    // The first key fixes the domain: `admin -- passkeys move` says what a change would end.
    if (await hasOtherDomain(trx, config.passkeyRpId)) throw new Problem(409, 'passkeysOfOtherDomain')
    const browser = deviceName(http.request.headers['user-agent'])
    const name = input.name ?? browser
    const row = { ...key, discoverable, onTheWay, name: name || 'Passkey', createdBrowser: browser }
    const id = newId()
    const kept = await insertKey(trx, {
      ...row,
      id,
      accountId: user.accountId,
      rpId: config.passkeyRpId,
      transports: [...new Set(credential.response.transports)].filter(Boolean),
      createdAt: now,
      createdAmr: [...session.amr],
    })
    if (!kept) throw new Problem(422, 'passkeyNotAccepted')
    if (!onTheWay) await makeUsualIfFirst(trx, user.accountId, 'passkey')
    await tellOfPasskey(context, trx, { what: 'added', name: row.name, person: user })
    audit({
      name: 'createPasskey',
      target: { id: user.accountId, label: user.email },
      after: { passkey: row.name, kind: discoverable ? 'passkey' : 'securityKey' },
    })
    return describeKey(found((await listKeys(trx, user.accountId, config.passkeyRpId)).find((one) => one.id === id)))
  })
}
