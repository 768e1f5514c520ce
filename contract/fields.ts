import * as z from 'zod/mini'
import { emailPattern } from './email-address.ts'
import type { MessageKey } from './message-key.ts'
import { readableDomain } from './readable-domain.ts'

/** A message that a schema gives is a key of the texts; this makes a misspelled one an error of the compiler. */
export const message = (key: MessageKey) => key

// A NUL ends a text in PostgreSQL and a lone surrogate is no Unicode: neither can be stored, so neither is a text.
const isStorable = (text: string) => !text.includes('\u0000') && text.isWellFormed()

/** A text of at most `max` UTF-16 units (254 unless told) that can be stored as it is. */
export const text = (max = 254) =>
  z
    .string(message('invalidText'))
    .check(z.maxLength(max, message('tooLong')), z.refine(isStorable, message('invalidText')))

// Zero-width characters and marks of direction are nothing that a person could read or click on.
const hasSomethingToSee = (text: string) => text === '' || /[^\p{Z}\p{Cc}\p{Cf}\p{DI}]/u.test(text)

/** A text that must not be empty; blanks alone, and what cannot be seen, count as empty. */
export const requiredText = (max = 254) =>
  text(max).check(z.trim(), z.minLength(1, message('required')), z.refine(hasSomethingToSee, message('required')))

/** A text that may be missing; an empty one is null. */
export const optionalText = (max = 254) =>
  z.nullable(
    z.pipe(
      text(max).check(z.trim()),
      z.transform((value) => (value === '' ? null : value)),
    ),
  )

function canonicalAddress(address: string): string {
  const lower = address.normalize('NFC').toLowerCase()
  const domain = lower.lastIndexOf('@') + 1
  return lower.slice(0, domain) + readableDomain(lower.slice(domain))
}

/**
 * An e-mail address in its one canonical form: no surrounding blanks, lower case, Unicode NFC, the domain as it is read.
 * The length is the limit of RFC 5321.
 */
export const email = text(254).check(
  z.trim(),
  z.overwrite(canonicalAddress),
  z.minLength(1, message('required')),
  z.regex(emailPattern, message('invalidEmail')),
)

/** An identifier: a UUID. Anything else cannot name anything, so a path with one is a missing page, not a bad request. */
export const id = z.uuid(message('notFound'))

/** A number of a query string: digits, at least 1. */
const wholeNumber = z.pipe(
  z.string().check(z.regex(/^[1-9][0-9]{0,8}$/, message('invalidNumber'))),
  z.transform((digits) => Number(digits)),
)

/** The query parameters of every paged list. */
export const pageQuery = <Sort extends string>(sorts: readonly [Sort, ...Sort[]], first: 'asc' | 'desc' = 'asc') =>
  z.strictObject({
    page: z._default(z.optional(wholeNumber), 1),
    sort: z._default(z.optional(z.enum(sorts)), sorts[0]),
    sortDirection: z._default(z.optional(z.enum(['asc', 'desc'])), first),
    searchQuery: z._default(z.optional(text(200)), ''),
  })

/** A paged answer. */
export const paged = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({ itemsPerPage: z.int(), totalCount: z.int(), items: z.array(item) })

/** A moment: ISO 8601 in UTC. */
export const moment = z.iso.datetime()
