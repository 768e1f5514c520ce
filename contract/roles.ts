import * as z from 'zod/mini'
import { fallbackLanguage, type Language, languages } from './languages.ts'

/** The login methods of organisations and users. */
export const loginMethod = z.enum(['bankid', 'local', 'saml', 'local2FA'])
export type LoginMethod = z.infer<typeof loginMethod>

/** How a session was proven. A code always follows a password; the name says where the code came from. */
export const signInMethod = z.enum([
  'password',
  'passwordAndEmailCode',
  'passwordAndSmsCode',
  'passwordAndApp',
  'passwordAndRecoveryCode',
  'passwordAndPasskey',
  'passkey',
  'bankid',
  'saml',
])
export type SignInMethod = z.infer<typeof signInMethod>

export const organizationRole = z.enum(['regular', 'organizationAdmin'])
export type OrganizationRole = z.infer<typeof organizationRole>

export const serviceRole = z.enum(['regular', 'serviceAdmin'])
export type ServiceRole = z.infer<typeof serviceRole>

export const language = z.enum(languages)
// The rest of the portal imports them from here.
export { fallbackLanguage, type Language, languages }
