import * as z from 'zod/mini'
import { fallbackLanguage, type Language, languages } from './languages.ts'
import { type LoginMethod, loginMethodNames } from './login-methods.ts'
import { allMethods, type SignInMethod } from './sign-in-methods.ts'

/** The login methods of organisations and users. */
export const loginMethod = z.enum(loginMethodNames)

/** How a session was proven. A code always follows a password; the name says where the code came from. */
export const signInMethod = z.enum(allMethods.map(([, { signIn }]) => signIn.name as SignInMethod))

export const organizationRole = z.enum(['regular', 'organizationAdmin'])
export type OrganizationRole = z.infer<typeof organizationRole>

export const serviceRole = z.enum(['regular', 'serviceAdmin'])
export type ServiceRole = z.infer<typeof serviceRole>

export const language = z.enum(languages)
// The rest of the portal imports them from here.
export { fallbackLanguage, type Language, type LoginMethod, languages, type SignInMethod }
