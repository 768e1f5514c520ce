import { factors } from '#contract/factors/factors.ts'
import { signInRulesCalls } from '#contract/factors/organization-rules.ts'
import { signInMethods } from '#contract/sign-in-methods.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import type { Config } from '#server/config.ts'
import { deleteApp, insertApp } from '#server/credentials/factors/authenticator-apps.repository.ts'
import {
  findFactors,
  forgetUsual,
  kindsOf,
  makeUsualIfFirst,
  type StoredFactors,
  setMailRefused,
  setUsualFactor,
} from '#server/credentials/factors/factors.repository.ts'
import { notifyOfFactor } from '#server/credentials/factors/notify-of-factor.ts'
import { replaceRecoveryCodes } from '#server/credentials/factors/recovery-codes.repository.ts'
import { matchingSteps } from '#server/credentials/factors/totp.ts'
import { requireSecondProof } from '#server/credentials/fresh-proof/fresh-proof.ts'
import { lockLiveSession } from '#server/credentials/fresh-proof/live-session.repository.ts'
import { isSecondFactor, listKeys } from '#server/credentials/passkeys/passkeys.repository.ts'
import { setSessionCookie } from '#server/oidc/new-session.ts'
import { raiseSession } from '#server/oidc/reach/raise-session.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Session } from '#server/platform/system.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { beginSetup, openSetup } from './app-setup.ts'
import { rulesHandlers } from './rules.handlers.ts'
import { listOwnRules } from './rules.repository.ts'

const targetOf = ({ actor, label }: Session) => ({ id: actor.accountId, label })
const invalid = (path: string, message: 'invalidCode' | 'invalidValue') =>
  new Problem(422, 'validationFailed', { issues: [{ path, message }] })

/** How many factors there are that no mailbox and no text message gives. */
const countStrong = async (db: Db, { passkeyRpId }: Config, accountId: string, { app, hasBankId }: StoredFactors) =>
  (await listKeys(db, accountId, passkeyRpId)).filter(isSecondFactor).length + (app ? 1 : 0) + (hasBankId ? 1 : 0)

/** The person's own second factors. */
const factorHandlers = ({ hasBankId }: { hasBankId: boolean }): Handlers<typeof factors> => ({
  read: async ({ db, actor, session, config }) => {
    const own = await findFactors(db, actor.accountId, config.passkeyRpId)
    const { usual, app, recoveryCodes, unconfirmed } = own
    return {
      usual,
      kinds: kindsOf(own),
      mail: {
        off: own.mailRefused === 'owner',
        mayBeOff: (await countStrong(db, config, actor.accountId, own)) >= 2,
        isAll: isLocal(session.user.loginMethod) && !own.hasBankId && kindsOf(own).every((kind) => kind === 'email'),
      },
      app: app && { createdAt: app.createdAt.toISOString(), lastUsedAt: app.lastUsedAt?.toISOString() ?? null },
      recoveryCodes: recoveryCodes && { ...recoveryCodes, createdAt: recoveryCodes.createdAt.toISOString() },
      unconfirmed: unconfirmed.filter((name) => name !== 'ssn' || hasBankId),
      rules: await listOwnRules(db, actor.accountId),
    }
  },
  chooseUsual: async ({ db, config, session, input, now, audit }) => {
    const { accountId } = session.actor
    requireSecondProof(session, now)
    const own = await findFactors(db, accountId, config.passkeyRpId)
    if (input.usual !== null && !kindsOf(own).includes(input.usual)) throw invalid('usual', 'invalidValue')
    if (own.usual === input.usual) return undefined
    await setUsualFactor(db, accountId, input.usual)
    audit({
      name: 'chooseSecondFactor',
      target: targetOf(session),
      before: { secondFactor: own.usual },
      after: { secondFactor: input.usual },
    })
    return undefined
  },
  chooseMail: async (context) => {
    const { db, config, session, input, audit } = context
    const { accountId } = session.actor
    const own = await findFactors(db, accountId, config.passkeyRpId)
    if (own.mailRefused === (input.on ? null : 'owner')) return undefined
    if (!input.on && (await countStrong(db, config, accountId, own)) < 2) throw new Problem(409, 'twoStrongNeeded')
    await setMailRefused(db, accountId, input.on ? null : 'owner')
    if (!input.on) await forgetUsual(db, accountId, 'email', { rpId: config.passkeyRpId })
    await notifyOfFactor(context, db, session.user, input.on ? 'mailCodesOn' : 'mailCodesOff')
    audit({
      name: 'chooseSecondFactor',
      target: targetOf(session),
      before: { mailCodes: !input.on },
      after: { mailCodes: input.on },
    })
    return undefined
  },
  beginApp: async (context) => {
    requireSecondProof(context.session, context.now)
    return beginSetup(context)
  },
  confirmApp: async (context) => {
    const { keys, session, input, now, transact } = context
    const { accountId } = session.actor
    requireSecondProof(session, now)
    const secret = await openSetup(context, input.setup)
    if (!secret) throw new Problem(409, 'appSetupOver')
    const step = matchingSteps(secret, input.code, now).at(-1)
    if (step === undefined) throw invalid('code', 'invalidCode')
    const id = await transact(async (db, audit) => {
      await lockLiveSession(db, session)
      // Who has lost it proves something stronger, and is at no time without one.
      const isReplaced = await deleteApp(db, accountId)
      await insertApp(db, keys, { accountId, secret, step }, now)
      await makeUsualIfFirst(db, accountId, 'app')
      await notifyOfFactor(context, db, session.user, isReplaced ? 'appReplaced' : 'appAdded')
      audit({ name: 'addAuthenticatorApp', target: targetOf(session) })
      if (isReplaced) audit({ name: 'removeAuthenticatorApp', target: targetOf(session) })
      // The app is the strongest factor now, and was just proven.
      const raised = await raiseSession(db, session, { amr: signInMethods.app.amr, at: now })
      if (raised === undefined) throw new Problem(401, 'signInRequired')
      return raised
    })
    setSessionCookie(context, id)
    return undefined
  },
  removeApp: async (context) => {
    const { db, config, session, audit } = context
    const { accountId } = session.actor
    if (!(await deleteApp(db, accountId))) throw new Problem(404, 'notFound')
    await forgetUsual(db, accountId, 'app', { rpId: config.passkeyRpId })
    await notifyOfFactor(context, db, session.user, 'appRemoved')
    audit({ name: 'removeAuthenticatorApp', target: targetOf(session) })
    return undefined
  },
  createRecoveryCodes: async (context) => {
    const { db, session, now, audit } = context
    requireSecondProof(session, now)
    await lockLiveSession(db, session)
    const codes = await replaceRecoveryCodes(db, session.actor.accountId, now)
    await notifyOfFactor(context, db, session.user, 'recoveryCodesMade')
    audit({ name: 'createRecoveryCodes', target: targetOf(session) })
    return { codes }
  },
})

export const createCallGroups: CreateCallGroups = ({ bankIdClient }) => [
  callGroup(factors, factorHandlers({ hasBankId: bankIdClient !== undefined })),
  callGroup(signInRulesCalls, rulesHandlers),
]
