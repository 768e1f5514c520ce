import * as z from 'zod/mini'
import { methodsWhere, type signInMethods } from './sign-in-methods.ts'

type Records = typeof signInMethods
export type SecondFactorKind = {
  [Name in keyof Records]: Records[Name] extends { secondFactor: string } ? Name : never
}[keyof Records]

/** The second factors, in the order in which they are shown. A passkey here is also a security key: something that answers only this portal. */
export const secondFactorKinds = methodsWhere(
  ({ secondFactor }) => secondFactor !== undefined,
).toReversed() as SecondFactorKind[]
export const secondFactorKind = z.enum(secondFactorKinds)

/** What a person enters about themselves that BankID and text messages go by. */
export const ownNumbers = ['ssn', 'phoneNumber'] as const
export type OwnNumber = (typeof ownNumbers)[number]

/** The letters and digits of a recovery code: 120 bits in base 32. */
export const recoveryCodeLength = 24
