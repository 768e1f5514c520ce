import * as z from 'zod/mini'
import { language } from '#contract/roles.ts'

/** The language of an invitation's mail; null: the inviter's own. */
export const mailLanguage = z._default(z.optional(z.nullable(language)), null)
