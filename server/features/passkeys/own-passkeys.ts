import type { OwnPasskeys, Passkey, passkeys } from '#contract/passkeys/passkeys.ts'
import { lockUser } from '#server/accounts/stored-user.repository.ts'
import { endKey } from '#server/credentials/end-passkey.ts'
import { findHolder, findOwnKey, listKeys, makeHandle } from '#server/credentials/passkeys/passkeys.repository.ts'
import { mayUsePasskeys } from '#server/credentials/passkeys/who-may.repository.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { describeKey, displayNameOf } from './describe-passkey.ts'
import { isProvenForKeys } from './enrolment.ts'
import { hasOtherWay, renameKey, updateHolder } from './own-passkeys.repository.ts'

const days = 24 * 3600_000
const notNowFor = 30 * days

/** The person's own keys, and whether to offer another. */
export async function listOwnPasskeys(context: RequestContext<typeof passkeys.list>): Promise<OwnPasskeys> {
  const { db, config, session, now } = context
  const { user } = session
  const keys = await listKeys(db, user.accountId, config.passkeyRpId)
  const holder = await findHolder(db, user.accountId)
  const allowed = await mayUsePasskeys(db, user.accountId)
  const wanted = allowed && keys.length === 0
  return {
    passkeys: keys.map(describeKey),
    allowed,
    offer: wanted && (holder?.offerAfter ?? now) <= now,
    makeOnTheWay: wanted && !holder?.askedOnTheWayAt && (await isProvenForKeys(context)),
    signal: holder
      ? {
          rpId: config.passkeyRpId,
          userId: holder.userHandle.toString('base64url'),
          name: user.email,
          displayName: displayNameOf(user),
          allAcceptedCredentialIds: keys.map(({ credentialId }) => credentialId.toString('base64url')),
        }
      : null,
  }
}

export async function renamePasskey(context: RequestContext<typeof passkeys.rename>): Promise<Passkey> {
  const { db, params, input, session, audit } = context
  const key = found(await findOwnKey(db, session.user.accountId, params.id))
  if (key.name === input.name) return describeKey(key)
  await renameKey(db, key.id, input.name)
  audit({
    name: 'updatePasskey',
    target: { id: session.user.accountId, label: session.label },
    before: { passkey: key.name },
    after: { passkey: input.name },
  })
  return describeKey({ ...key, name: input.name })
}

export async function removePasskey(context: RequestContext<typeof passkeys.remove>): Promise<undefined> {
  const { db, config, params, session, audit } = context
  const { accountId } = session.user
  const user = found(await lockUser(db, accountId))
  const key = found(await findOwnKey(db, accountId, params.id))
  const others = (await listKeys(db, accountId, config.passkeyRpId)).filter(({ id }) => id !== key.id)
  // Security keys help only after a password.
  if (!(await hasOtherWay(db, accountId)) && !others.some(({ discoverable }) => discoverable))
    throw new Problem(409, 'lastWayIn')
  await endKey(context, db, { id: key.id, name: key.name, person: user, because: 'removed' })
  audit({
    name: 'deletePasskey',
    target: { id: accountId, label: session.label },
    before: { passkey: key.name, kind: key.discoverable ? 'passkey' : 'securityKey' },
  })
  return undefined
}

export async function notNow({ db, session, now }: RequestContext<typeof passkeys.notNow>): Promise<undefined> {
  const { accountId } = session.user
  await makeHandle(db, accountId)
  await updateHolder(db, accountId, { offerAfter: new Date(now.getTime() + notNowFor) })
  return undefined
}
