import * as z from 'zod/mini'
import { id, message, optionalText, requiredText, version } from '#contract/fields/fields.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'

const day = z.iso.date(message('invalidDate'))
const fields = {
  message: requiredText(1000),
  /** Whose members read it; null for everyone. */
  organizationId: z.pipe(optionalText(36), z.nullable(id)),
  /** The first and the last day, in Swedish time; without a last day it stays. */
  startsOn: day,
  endsOn: z.pipe(optionalText(10), z.nullable(day)),
}

/** True if the last day is not before the first. */
export const endsAfterStart = ({ startsOn, endsOn }: { startsOn: string; endsOn: string | null }) =>
  endsOn === null || endsOn >= startsOn

export const noticeForm = z
  .strictObject({
    ...fields,
    organizationId: z._default(z.optional(fields.organizationId), null),
    endsOn: z._default(z.optional(fields.endsOn), null),
  })
  .check(z.refine(endsAfterStart, { error: message('endsBeforeStart'), path: ['endsOn'] }))
export type NoticeForm = z.infer<typeof noticeForm>

export const noticeLabels: FieldLabels<NoticeForm> = {
  message: 'noticeText',
  organizationId: 'noticeFor',
  startsOn: 'firstDay',
  endsOn: 'lastDay',
}

export const notice = z.object({
  noticeId: id,
  message: z.string(),
  organizationId: z.nullable(id),
  organizationName: z.nullable(z.string()),
  startsOn: z.string(),
  endsOn: z.nullable(z.string()),
  version,
})
export type Notice = z.infer<typeof notice>

/** A notice of today, for the people it is for. */
export const currentNotice = z.object({ noticeId: id, message: z.string(), organizationId: z.nullable(id) })
export type CurrentNotice = z.infer<typeof currentNotice>

const params = z.strictObject({ id })

export const notices = {
  current: route('GET /api/notices/current', {
    summary: "Today's notices for everyone and for the caller's organisations",
    access: 'signedIn',
    answer: z.array(currentNotice),
  }),
  list: route('GET /api/notices', {
    summary: 'All notices, the latest first',
    access: 'manageNotices',
    answer: z.array(notice),
  }),
  read: route('GET /api/notices/{id}', {
    summary: 'One notice',
    access: 'manageNotices',
    params,
    answer: notice,
  }),
  create: route('POST /api/notices', {
    summary: 'Adds a notice, for one organisation or for everyone',
    access: 'manageNotices',
    input: noticeForm,
    answer: notice,
    status: 201,
    audit: 'createNotice',
  }),
  update: route('PUT /api/notices', {
    takesBack: '/api/notices/{noticeId}',
    summary: 'Changes a notice; fields that are left out stay',
    access: 'manageNotices',
    input: z.extend(z.partial(z.strictObject(fields)), { noticeId: id, version: z.optional(version) }),
    answer: notice,
    audit: { atMost: ['updateNotice'] },
  }),
  remove: route('DELETE /api/notices/{id}', {
    summary: 'Deletes a notice',
    access: 'manageNotices',
    params,
    answer: 'nothing',
    audit: 'deleteNotice',
  }),
}
