import type { MessageKey } from '#contract/message-key.ts'
import { endsAfterStart, type Notice, notices } from '#contract/notices/notices.ts'
import { checkVersion, isUnchanged } from '#server/platform/database/versioned.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import {
  findNotice,
  findNoticeForUpdate,
  insertNotice,
  listNotices,
  removeNotice,
  updateNotice,
} from './notices.repository.ts'
import { listCurrentNotices } from './notices.ts'

export const noticesHandlers: Handlers<typeof notices> = {
  current: async ({ db, actor, now }) =>
    listCurrentNotices(
      db,
      actor.organizations.map((own) => own.organizationId),
      now,
    ),
  list: async ({ db }) => listNotices(db),
  read: async ({ db, params }) => found(await findNotice(db, params.id)),
  create: async ({ db, input, audit }) => {
    const after = found(await findNotice(db, await insertNotice(db, input)))
    audit({ name: 'createNotice', target: labelled(after), after: forAudit(after), organizationIds: concerned(after) })
    return after
  },
  update: async ({ db, input, audit }) => {
    const { noticeId, version, ...form } = input
    const before = found(await findNoticeForUpdate(db, noticeId))
    checkVersion(before, version)
    if (isUnchanged<object>(before, form)) return before
    const { startsOn = before.startsOn, endsOn = before.endsOn } = form
    if (!endsAfterStart({ startsOn, endsOn })) throw refused('endsOn', 'endsBeforeStart')
    await updateNotice(db, noticeId, form)
    const after = found(await findNotice(db, noticeId))
    const organizationIds = [...concerned(before), ...concerned(after)]
    audit({
      name: 'updateNotice',
      target: labelled(after),
      before: forAudit(before),
      after: forAudit(after),
      organizationIds,
    })
    return after
  },
  remove: async ({ db, params, audit }) => {
    const before = found(await findNoticeForUpdate(db, params.id))
    await removeNotice(db, before.noticeId)
    audit({
      name: 'deleteNotice',
      target: labelled(before),
      before: forAudit(before),
      organizationIds: concerned(before),
    })
    return undefined
  },
}

const refused = (path: string, message: MessageKey) =>
  new Problem(422, 'validationFailed', { issues: [{ path, message }] })

const labelled = ({ noticeId, message }: Notice) => ({ id: noticeId, label: message.slice(0, 80) })

const forAudit = ({ noticeId: _, organizationId: __, message, organizationName, ...rest }: Notice) => ({
  noticeText: message,
  organization: organizationName,
  ...rest,
})

const concerned = ({ organizationId }: Notice) => (organizationId ? [organizationId] : [])

export const createCallGroups: CreateCallGroups = () => [callGroup(notices, noticesHandlers)]
