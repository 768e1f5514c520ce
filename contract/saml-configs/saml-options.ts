import * as z from 'zod/mini'
import { message, optionalText, text } from '#contract/fields/fields.ts'
import type { FieldLabels } from '#contract/message-key.ts'

export const nameIdFormats = ['emailAddress', 'persistent', 'transient', 'unspecified'] as const

/** Identifiers of authentication context classes are URIs. */
const contexts = z.nullable(
  z.pipe(
    text(1000).check(
      z.refine((typed) => linesOf(typed).length <= 5, message('tooManyContexts')),
      z.refine(
        (typed) => linesOf(typed).every((line) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(line)),
        message('invalidContext'),
      ),
    ),
    z.transform((typed) => linesOf(typed).join('\n') || null),
  ),
)

/** The lines of a text that are not empty, each once. */
export const linesOf = (typed: string | null): string[] => [
  ...new Set(
    (typed ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

/** What few identity providers need. Null or false: the default, which suits the others. */
export const samlOptions = {
  /** The format of the NameID that is asked for; null: any. */
  nameIdFormat: z.nullable(
    z.pipe(
      z.enum(['', ...nameIdFormats], message('invalidText')),
      z.transform((chosen) => (chosen === '' ? null : chosen)),
    ),
  ),
  /** Authentication context classes of which the identity provider must use one, a line each; null: any. */
  authnContexts: contexts,
  /** The name of the attribute with the personal number; null: those that identity providers use. */
  ssnAttribute: optionalText(500),
  /** The same for the address; null: those that identity providers use, else the NameID. */
  emailAttribute: optionalText(500),
  /** The NameID is the address, whatever its format. */
  nameIdIsEmail: z.boolean(),
  /** The same for the names of people who are created at their first sign-in. */
  firstNameAttribute: optionalText(500),
  lastNameAttribute: optionalText(500),
}

/** In a form that creates, what is left out is the default. */
export const samlOptionDefaults = {
  nameIdFormat: z._default(z.optional(samlOptions.nameIdFormat), null),
  authnContexts: z._default(z.optional(samlOptions.authnContexts), null),
  ssnAttribute: z._default(z.optional(samlOptions.ssnAttribute), null),
  emailAttribute: z._default(z.optional(samlOptions.emailAttribute), null),
  nameIdIsEmail: z._default(z.optional(samlOptions.nameIdIsEmail), false),
  firstNameAttribute: z._default(z.optional(samlOptions.firstNameAttribute), null),
  lastNameAttribute: z._default(z.optional(samlOptions.lastNameAttribute), null),
}

/** As they are stored. */
export const storedSamlOptions = {
  nameIdFormat: z.nullable(z.enum(nameIdFormats)),
  authnContexts: z.nullable(z.string()),
  ssnAttribute: z.nullable(z.string()),
  emailAttribute: z.nullable(z.string()),
  nameIdIsEmail: z.boolean(),
  firstNameAttribute: z.nullable(z.string()),
  lastNameAttribute: z.nullable(z.string()),
}
const stored = z.object(storedSamlOptions)
export type SamlOptions = z.infer<typeof stored>

export const noSamlOptions: SamlOptions = {
  nameIdFormat: null,
  authnContexts: null,
  ssnAttribute: null,
  emailAttribute: null,
  nameIdIsEmail: false,
  firstNameAttribute: null,
  lastNameAttribute: null,
}

export const samlOptionLabels: FieldLabels<SamlOptions> = {
  nameIdFormat: 'nameIdFormat',
  authnContexts: 'authnContexts',
  ssnAttribute: 'ssnAttribute',
  emailAttribute: 'emailAttribute',
  nameIdIsEmail: 'nameIdIsEmail',
  firstNameAttribute: 'firstNameAttribute',
  lastNameAttribute: 'lastNameAttribute',
}

const { emailAttribute, ssnAttribute, firstNameAttribute, lastNameAttribute } = samlOptions
const name = storedSamlOptions.emailAttribute
/** Those that OpenID Connect has too, as the names of claims; null: the usual ones. */
export const claimNames = {
  fields: { emailAttribute, ssnAttribute, firstNameAttribute, lastNameAttribute },
  defaults: {
    emailAttribute: samlOptionDefaults.emailAttribute,
    ssnAttribute: samlOptionDefaults.ssnAttribute,
    firstNameAttribute: samlOptionDefaults.firstNameAttribute,
    lastNameAttribute: samlOptionDefaults.lastNameAttribute,
  },
  stored: { emailAttribute: name, ssnAttribute: name, firstNameAttribute: name, lastNameAttribute: name },
  labels: {
    emailAttribute: 'emailAttribute',
    ssnAttribute: 'ssnAttribute',
    firstNameAttribute: 'firstNameAttribute',
    lastNameAttribute: 'lastNameAttribute',
  },
} as const
