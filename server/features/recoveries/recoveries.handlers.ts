import { ownRecovery, recoveries, recoveryHours } from '#contract/recoveries/recoveries.ts'
import { findUser, lockUser, type StoredUser } from '#server/accounts/stored-user.repository.ts'
import { labelled, organizationIdsOf } from '#server/accounts/user-audit.ts'
import { endRecovery, insertRecovery, type StoredRecovery } from '#server/credentials/factors/recoveries.repository.ts'
import { requireSecondProof } from '#server/credentials/fresh-proof/fresh-proof.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { targetOf } from '../users/users.ts'
import { mailAboutRecovery } from './mail-about-recovery.ts'
import { canRecover, findOpenRecovery, whyNotConfirm } from './open-recovery.ts'
import { recoverAccount } from './recover-account.ts'

type Context = Pick<RequestContext<typeof recoveries.confirm>, 'db' | 'params' | 'allow' | 'require'>

/** @throws Problem 404 where the person is out of sight, 403 where the actor may not help them */
function require({ allow, require }: Context, user: StoredUser): StoredUser {
  allow('readUser', targetOf(user))
  require('recoverUser', targetOf(user))
  return user
}
const lockPerson = async (context: Context) => require(context, found(await lockUser(context.db, context.params.id)))
const about = (user: StoredUser) => ({ target: labelled(user), organizationIds: organizationIdsOf(user) })

async function ask(context: RequestContext<typeof recoveries.ask>): Promise<void> {
  const { db, actor, input, now, audit } = context
  const user = await lockPerson(context)
  const { accountId } = user
  if (!(await canRecover(context, user))) throw new Problem(409, 'nothingToRecover')
  if (await findOpenRecovery(context, user)) throw new Problem(409, 'recoveryOpen')
  // One whose admin may help no more.
  await endRecovery(db, accountId)
  const { reason } = input
  const dueAt = new Date(now.getTime() + recoveryHours * 3_600_000)
  await insertRecovery(db, { accountId, askedBy: actor.accountId, reason, askedAt: now, dueAt })
  await mailAboutRecovery(context, db, user, { what: 'asked', reason, at: dueAt.toISOString() })
  audit({ name: 'askForRecovery', ...about(user), after: { reason } })
}

/** Of other people. */
const recoveriesHandlers: Handlers<typeof recoveries> = {
  read: async (context) => {
    const { db, actor, params } = context
    const user = require(context, found(await findUser(db, params.id)))
    const open = await findOpenRecovery(context, user)
    return {
      canRecover: await canRecover(context, user),
      recovery: open ? { ...shown(open), mayConfirm: !(await whyNotConfirm(db, actor, user, open)) } : null,
    }
  },
  ask: async (context) => {
    const { db, params, transact } = context
    // Who may not ask uses nothing up.
    const { accountId } = require(context, found(await findUser(db, params.id)))
    await withAttemptLimit(context, [{ name: 'recoveryAsked', key: accountId }], () =>
      transact((trx, audit) => ask({ ...context, db: trx, audit })),
    )
    return undefined
  },
  confirm: async (context) => {
    const { db, actor, audit, session, now } = context
    const user = await lockPerson(context)
    const open = found(await findOpenRecovery(context, user))
    const refused = await whyNotConfirm(db, actor, user, open)
    if (refused) throw new Problem(403, refused)
    // The stolen password of a colleague is no second admin.
    requireSecondProof(session, now)
    audit({ name: 'confirmRecovery', ...about(user), after: { reason: open.reason } })
    await recoverAccount(context, db, user, (event) => audit({ ...event, ...about(user) }))
    return undefined
  },
  stop: async (context) => {
    const user = await lockPerson(context)
    if (!(await endRecovery(context.db, user.accountId))) throw new Problem(404, 'notFound')
    context.audit({ name: 'stopRecovery', ...about(user) })
    return undefined
  },
}

/** Of the own account. */
const ownHandlers: Handlers<typeof ownRecovery> = {
  read: async (context) => {
    const { db, actor } = context
    const open = await findOpenRecovery(context, found(await findUser(db, actor.accountId)))
    return { recovery: open ? shown(open) : null }
  },
  confirm: async (context) => {
    const { db, actor, audit } = context
    const user = found(await lockUser(db, actor.accountId))
    const { reason } = found(await findOpenRecovery(context, user))
    audit({ name: 'confirmRecovery', ...about(user), after: { reason } })
    await recoverAccount(context, db, user, (event) => audit({ ...event, ...about(user) }))
    return undefined
  },
  stop: async ({ db, actor, audit }) => {
    const user = found(await lockUser(db, actor.accountId))
    if (!(await endRecovery(db, user.accountId))) throw new Problem(404, 'notFound')
    audit({ name: 'stopRecovery', ...about(user) })
    return undefined
  },
}

const shown = ({ reason, askedAt, dueAt }: StoredRecovery) => ({
  reason,
  askedAt: askedAt.toISOString(),
  dueAt: dueAt.toISOString(),
})

export const createCallGroups: CreateCallGroups = () => [
  callGroup(recoveries, recoveriesHandlers),
  callGroup(ownRecovery, ownHandlers),
]
