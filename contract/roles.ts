import * as z from 'zod/mini'

/** How an organisation's or a user's people prove who they are. */
export const loginMethod = z.enum(['bankid', 'local', 'saml', 'local2FA'])
export type LoginMethod = z.infer<typeof loginMethod>

export const organizationRole = z.enum(['regular', 'organizationAdmin'])
export type OrganizationRole = z.infer<typeof organizationRole>

export const serviceRole = z.enum(['regular', 'serviceAdmin'])
export type ServiceRole = z.infer<typeof serviceRole>

/** The languages of the portal; Swedish is the source and the fallback. */
export const languages = ['sv', 'en', 'fi', 'fr'] as const
export const language = z.enum(languages)
export type Language = z.infer<typeof language>
export const fallbackLanguage: Language = 'sv'
