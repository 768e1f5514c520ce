import * as z from 'zod/mini'
import type { MessageKey } from '#contract/message-key.ts'
import { bareAddress, withoutInvisibleEnds } from './as-written.ts'
import { canonicalEmail } from './canonical-email.ts'
import { emailPattern } from './email-address.ts'
import { normalizedPhoneNumber } from './phone-number.ts'

/** The text key of a validation message; a misspelled key does not compile. */
export const message = (key: MessageKey) => key

// PostgreSQL cannot store a NUL or a lone surrogate.
const isStorable = (text: string) => !text.includes('\u0000') && text.isWellFormed()

/** Limits the length. Must come before all other checks of a text, so that a long text costs nothing to refuse. */
export const limited = (max: number) => z.maxLength(max, { error: message('tooLong'), abort: true })

export const storable = z.refine<string>(isStorable, { error: message('invalidText'), abort: true })

/** A text of at most `max` UTF-16 units (default 254) that PostgreSQL can store. */
export const text = (max = 254) => z.string(message('invalidText')).check(limited(max), storable)

/** The largest number that a column of the type `integer` holds. */
export const maxInteger = 2_147_483_647

// Zero-width characters and direction marks are invisible.
/** Whether something of a text can be seen; true for an empty one, which has an error of its own. */
export const hasVisibleCharacters = (text: string) => text === '' || /[^\p{Z}\p{Cc}\p{Cf}\p{DI}]/u.test(text)

/** A required text; whitespace and invisible characters alone count as empty. */
export const requiredText = (max = 254) =>
  text(max).check(z.trim(), z.minLength(1, message('required')), z.refine(hasVisibleCharacters, message('required')))

/** An optional text. An empty field sends '' and blanks, an API client may send null: null is stored, also of what nobody can see. */
export const optionalText = (max = 254) =>
  z.nullable(
    z.pipe(
      text(max).check(z.overwrite(withoutInvisibleEnds)),
      z.transform((value) => (value === '' ? null : value)),
    ),
  )

/** An e-mail address, parsed into its canonical form: see `canonicalEmail`. RFC 5321 limits the length, also of that form. */
export const email = text(254).check(
  z.overwrite((typed) => canonicalEmail(bareAddress(typed))),
  limited(254),
  z.minLength(1, message('required')),
  z.regex(emailPattern, message('invalidEmail')),
)

/**
 * An identifier: a UUID, in lower case as the database writes it, so that ids can be compared. Any other value gives 404,
 * not 400, because nothing with that id can exist.
 */
export const id = z.uuid(message('notFound')).check(z.toLowerCase())

/** A positive integer in a query string. */
export const wholeNumber = z.pipe(
  z
    .string()
    .check(z.regex(/^[1-9][0-9]{0,8}$/, message('invalidNumber')))
    // For the API description: addresses have no types.
    .register(z.globalRegistry, { type: 'integer', minimum: 1 }),
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

/** A total above this is not counted to the end: the answer says so in `hasMore`. */
export const maxCounted = 10_000

/** A paged answer. */
export const paged = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({ itemsPerPage: z.int(), totalCount: z.int(), items: z.array(item) })

/** The answer of a list that may have more than `maxCounted` items. */
export const longPaged = <Item extends z.ZodMiniType>(item: Item) => z.extend(paged(item), { hasMore: z.boolean() })

/** A timestamp: ISO 8601 in UTC, to the nanosecond at most. */
export const timestamp = z.iso.datetime().check(z.maxLength(30))

/** The version of an entity for optimistic locking: a form that sends an older version is refused. */
export const version = z.int().check(z.minimum(1), z.maximum(maxInteger))

/** The query of a delete: `force` also deletes dependent data, after the user has confirmed it. */
export const forceQuery = z.strictObject({ force: z.optional(z.enum(['true', 'false'])) })

/**
 * An http or https URL. The server never fetches it. It must not contain a user name or password:
 * `https://bank.example:pw@evil.example` looks like the bank's address.
 */
export const url = z.string(message('required')).check(
  limited(2000),
  storable,
  // Schemes are case-insensitive; normalise to lower case.
  z.overwrite((text) => withoutInvisibleEnds(text).replace(/^https?:/i, (scheme) => scheme.toLowerCase())),
  z.minLength(1, { error: message('required'), abort: true }),
  z.refine((text) => /^https?:\/\/[^\s/?#@\\]+([/?#]|$)/.test(text) && URL.canParse(text), {
    error: message('invalidUrl'),
    abort: true,
  }),
)

/** An optional URL. An empty one is null. */
export const optionalUrl = z.pipe(optionalText(2000), z.nullable(url))

/** An optional phone number as people write it, stored as +46 and 7 to 13 digits. An empty one is null. */
export const optionalPhoneNumber = z.pipe(
  optionalText(40),
  z.nullable(
    z.string().check(z.overwrite(normalizedPhoneNumber), z.regex(/^\+46[0-9]{7,13}$/, message('invalidPhoneNumber'))),
  ),
)
