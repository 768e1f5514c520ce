import * as z from 'zod/mini'
import { timestamp } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'

/** A copy of what the portal holds on the person: being made, or ready until it is removed. */
export const dataCopy = z.object({
  requestedAt: timestamp,
  readyAt: z.nullable(timestamp),
  /** `KEEP_DATA_COPIES_DAYS` after it was ready. */
  expiresAt: z.nullable(timestamp),
})
export type DataCopy = z.infer<typeof dataCopy>

export const ownData = {
  read: route('GET /api/profile/data', {
    summary: "Whether there is a copy of the caller's data, and until when",
    access: 'signedIn',
    answer: z.object({ copy: z.nullable(dataCopy) }),
  }),
  request: route('POST /api/profile/data', {
    summary: "Asks for a new copy of the caller's data, at most one an hour; a mail says when it is ready",
    access: 'signedIn',
    freshProof: 'not needed: to read the copy takes one',
    answer: 'nothing',
    // Nothing happens while one is being made, or within an hour.
    audit: { atMost: ['requestOwnData'] },
  }),
  json: route('GET /api/profile/data/json', {
    summary: 'The copy, for programs; 404 when there is none',
    access: 'signedIn',
    freshProof: true,
    answer: 'json',
    audit: 'downloadOwnData',
  }),
  html: route('GET /api/profile/data/html', {
    summary: "The same as a page to read, in the caller's language",
    access: 'signedIn',
    freshProof: true,
    answer: 'page',
    audit: 'downloadOwnData',
  }),
}
