import * as z from 'zod/mini'
import { id, paged, pageQuery, timestamp } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { userSummary } from '#contract/users/user-summary.ts'

/** Someone who gets a warning or becomes passive soon. Times that have passed mean the coming night. */
export const comingPassiveUser = z.extend(userSummary, {
  /** Null when no further warning is sent. */
  nextWarningAt: z.nullable(timestamp),
  passiveAt: timestamp,
})
export type ComingPassiveUser = z.infer<typeof comingPassiveUser>

/** How many days the preview looks ahead. */
export const passivePreviewDays = 30

const { page } = pageQuery(['passiveAt']).shape

export const passiveUsers = {
  preview: route('GET /api/users/passive-preview', {
    summary: 'Everybody who is warned or becomes passive in the next 30 days, the soonest first, page by page',
    access: 'readAllDetails',
    query: z.strictObject({ page }),
    answer: paged(comingPassiveUser),
  }),
  previewOfOrganization: route('GET /api/organizations/{id}/passive-preview', {
    summary: "An organisation's people who are warned or become passive in the next 30 days, page by page",
    access: 'readDetails',
    params: z.strictObject({ id }),
    target: ({ params }) => ({ organizationId: params.id }),
    query: z.strictObject({ page }),
    answer: paged(comingPassiveUser),
  }),
}
