import * as z from 'zod/mini'
import { fallbackLanguage, type Language, languages } from './languages.ts'

/** How an organisation's or a user's people prove who they are. */
export const loginMethod = z.enum(['bankid', 'local', 'saml', 'local2FA'])
export type LoginMethod = z.infer<typeof loginMethod>

export const organizationRole = z.enum(['regular', 'organizationAdmin'])
export type OrganizationRole = z.infer<typeof organizationRole>

export const serviceRole = z.enum(['regular', 'serviceAdmin'])
export type ServiceRole = z.infer<typeof serviceRole>

export const language = z.enum(languages)
// Where the rest of the portal looks for them.
export { fallbackLanguage, type Language, languages }
