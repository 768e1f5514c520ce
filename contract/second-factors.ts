import * as z from 'zod/mini'

/** The second factors, in the order in which they are shown. A passkey here is also a security key: something that answers only this portal. */
export const secondFactorKinds = ['passkey', 'app', 'sms', 'email'] as const
export const secondFactorKind = z.enum(secondFactorKinds)
export type SecondFactorKind = z.infer<typeof secondFactorKind>

/** What a person enters about themselves that BankID and text messages go by. */
export const ownNumbers = ['ssn', 'phoneNumber'] as const
export type OwnNumber = (typeof ownNumbers)[number]

/** The letters and digits of a recovery code: 120 bits in base 32. */
export const recoveryCodeLength = 24
