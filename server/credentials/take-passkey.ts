import { generateKeyPairSync } from 'node:crypto'
import type { UsedCredential } from '#contract/passkeys/credentials.ts'
import { isKnownTo, knownBrowser } from '#server/credentials/known-browser.ts'
import { findPerson, type Person } from '#server/credentials/people.repository.ts'
import { loginFailureEntry } from '#server/credentials/refuse-sign-in.ts'
import { factorMethods } from '#server/oidc/sign-in-method.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { deviceName } from '#server/platform/http/user-agent.ts'
import { addressKey } from '#server/platform/limits/address.ts'
import type { LimitKey } from '#server/platform/limits/limits.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { recordOnce } from '#server/platform/secrets/one-time-tokens.ts'
import { endKey } from './end-passkey.ts'
import { findKey, recordUse, type StoredKey } from './passkeys/passkeys.repository.ts'
import { type VerifiedUse, verifyUse } from './passkeys/webauthn.ts'
import { mayUsePasskeys } from './passkeys/who-may.repository.ts'

type Context = Pick<
  RequestContext,
  'db' | 'config' | 'keys' | 'limits' | 'log' | 'now' | 'ip' | 'http' | 'transact' | 'counters' | 'outbox'
>

interface Use {
  credential: UsedCredential
  challenge: string
  /** `alone`: signs in by itself; `after`: helps somebody who is known already, by this account. */
  as: 'alone' | { after: string }
  /** The interaction, where there is one. */
  uid?: string | undefined
}

/** A key that proved its person. */
export interface ProvenKey {
  person: Person
  /** What it adds to a session. */
  amr: readonly string[]
}

/** `touch` is a name of our own: the key did not verify its user, so that it is worth something only with the password. */
const amrOf = (verified: boolean) => (verified ? factorMethods.passkey : [...factorMethods.passkey, 'touch'])

/**
 * The only place that takes a proof by a passkey or security key. Every failure is the same to the caller, takes the same
 * work, and is audited; the same proof counts once.
 *
 * @returns undefined for any failure
 * @throws Problem 429 after too many failures from one address, or in this browser
 */
export async function takePasskey(context: Context, use: Use): Promise<ProvenKey | undefined> {
  const { db, config, limits, now } = context
  const key = await findKey(db, Buffer.from(use.credential.id, 'base64url'), config.passkeyRpId)
  const failures = [failuresOf(context, key)]
  const { result } = await withAttemptLimit(context, failures, async () => {
    const person = key && (await findPerson(db, key.email))
    const proof = verifyUse(context, {
      ...use,
      publicKey: key?.publicKey ?? nobodysKey,
      verified: use.as === 'alone',
    })
    return { person, proof }
  })
  const { person, proof } = result
  if (!key || !person || !proof || !(await isAcceptable(db, use, { key, person, proof }))) {
    await refuse(context, use, person)
    return undefined
  }
  const taken = await context.transact((trx, audit) => record(context, trx, audit, { use, key, person, proof }))
  if (!taken) return undefined
  await limits.refund(db, failures, now)
  return { person, amr: amrOf(proof.verified) }
}

/** As with passwords: a browser that the account knows has its own budget, whatever others do behind the same address. */
function failuresOf(context: Context, key: StoredKey | undefined): LimitKey {
  const { request } = context.http
  return key && isKnownTo(request, context, key)
    ? { name: 'wrongPasswordBrowser', key: `${key.email} ${knownBrowser(request, context, key.email)}` }
    : { name: 'addressFailures', key: addressKey(context.ip) }
}

interface Found {
  key: StoredKey
  person: Person
  proof: VerifiedUse
}

/** What a key may do, by what it proved when it was made and proves now. */
async function isAcceptable(db: Db, { credential, as }: Use, { key, person, proof }: Found): Promise<boolean> {
  const { userHandle } = credential.response
  const isOwner = userHandle ? key.userHandle.equals(Buffer.from(userHandle, 'base64url')) : as !== 'alone'
  const fits =
    as === 'alone'
      ? // A passkey that the browser made by itself is verified for the first time here.
        key.discoverable && (key.verified || key.onTheWay) && proof.verified
      : key.accountId === as.after && (key.verified || !key.onTheWay)
  return (
    isOwner &&
    fits &&
    key.backupEligible === proof.backupEligible &&
    person.active &&
    (await mayUsePasskeys(db, person.accountId))
  )
}

type Audit = Parameters<Parameters<RequestContext['transact']>[0]>[1]

/** Writes the use. The same proof a second time changes nothing, and a counter that went back ends the key. */
async function record(
  context: Context,
  trx: Db,
  audit: Audit,
  { use, key, person, proof }: Found & { use: Use },
): Promise<boolean> {
  const { now, http } = context
  const expiresAt = new Date(now.getTime() + 24 * 3600_000)
  const once = { purpose: 'passkeyProof', subject: key.accountId, token: proof.fingerprint, now, expiresAt }
  if (!(await recordOnce(trx, once))) {
    audit(
      await loginFailureEntry(context, trx, { ...failureOf(use, person), reason: 'the same proof was used before' }),
    )
    return false
  }
  const browser = deviceName(http.request.headers['user-agent'])
  if (await recordUse(trx, { ...proof, id: key.id, browser, now })) return true
  await endKey(context, trx, { id: key.id, name: key.name, person, because: 'counter' })
  audit({
    name: 'stopPasskey',
    actor: null,
    target: { id: person.accountId, label: person.email },
    organizationIds: person.organizationIds,
    before: { passkey: key.name },
  })
  return false
}

const failureOf = ({ as, uid }: Use, person: Person | undefined) => ({
  email: person?.email ?? 'unknown passkey',
  person,
  method: as === 'alone' ? ('passkey' as const) : ('passwordAndPasskey' as const),
  uid,
})

const refuse = (context: Context, use: Use, person: Person | undefined) =>
  context.transact(async (trx, audit) => audit(await loginFailureEntry(context, trx, failureOf(use, person))))

/** Whose signature nobody can make: an unknown key takes as long to refuse as a wrong signature. */
const nobodysKey = coseOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }))

/** The COSE form of a P-256 key (RFC 9053): a map of kty EC2, alg ES256, curve, x and y. */
function coseOf({ x = '', y = '' }: { x?: string; y?: string }): Buffer {
  const coordinate = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 0x20]), Buffer.from(value, 'base64url')])
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
    coordinate(0x21, x),
    coordinate(0x22, y),
  ])
}
