import type { MessageKey } from './message-key.ts'
import { type Floor, type Method, type MethodName, type Strength, signInMethods } from './sign-in-methods.ts'

export type LoginMethod = Exclude<Floor, 'strongAdmins'>

/** How an account signs in, which an organisation can ask for (product-rules 11.4). */
interface Login {
  /** What a sign-in asks for first, and the weakest that it has proven in the end. */
  first: MethodName
  least: MethodName
  label: MessageKey
  hint: MessageKey
  /** To somebody who joins an organisation that asks for it, and to whom cannot meet it. */
  join?: { asks: MessageKey; cannot: MessageKey }
  /** Where it asks for more of some than it proves itself, as of admins. */
  more?: LoginMethod
  /** To a member whose session has not proven it. */
  stepUp: MessageKey
  /** To an admin, about somebody whose account never proves it. */
  cannotEnter: MessageKey
  /** To somebody without a password, in the portal and by mail. */
  noPassword?: { text: MessageKey; mail: MessageKey }
}

/** The login methods, as they are shown where one is chosen. `local2FA`: any second factor follows the password. */
export const loginMethods = {
  bankid: {
    first: 'bankid',
    least: 'bankid',
    label: 'loginMethodBankid',
    hint: 'loginMethodBankidHint',
    join: { asks: 'joinAsksForBankId', cannot: 'joinCannotBankId' },
    stepUp: 'stepUpBankIdText',
    cannotEnter: 'cannotEnterBankId',
    noPassword: { text: 'noPasswordWithBankId', mail: 'mailNoPasswordBankId' },
  },
  local: {
    first: 'password',
    least: 'password',
    label: 'loginMethodLocal',
    hint: 'loginMethodLocalHint',
    more: 'local2FA',
    stepUp: 'stepUpCodeText',
    cannotEnter: 'cannotEnterSaml',
  },
  local2FA: {
    first: 'password',
    least: 'email',
    label: 'loginMethodLocal2FA',
    hint: 'loginMethodLocal2FAHint',
    join: { asks: 'joinAsksForCode', cannot: 'joinAsksForCode' },
    stepUp: 'stepUpCodeText',
    cannotEnter: 'cannotEnterSaml',
  },
  saml: {
    first: 'company',
    least: 'company',
    label: 'loginMethodSaml',
    hint: 'loginMethodSamlHint',
    join: { asks: 'guestsOnly', cannot: 'guestsOnly' },
    stepUp: 'stepUpSamlText',
    cannotEnter: 'cannotEnterSaml',
    noPassword: { text: 'noPasswordWithSaml', mail: 'mailNoPasswordSaml' },
  },
} as const satisfies Record<LoginMethod, Login>

const recordOf = (method: LoginMethod): Login => loginMethods[method]
const firstOf = (method: LoginMethod | null | undefined): Method | undefined =>
  method ? signInMethods[recordOf(method).first] : undefined

/** All names. */
export const loginMethodNames = Object.keys(loginMethods) as LoginMethod[]

/** Those with a password in the portal. */
export type LocalMethod = {
  [K in LoginMethod]: (typeof loginMethods)[K]['first'] extends 'password' ? K : never
}[LoginMethod]
export type LoginMethodWithoutPassword = Exclude<LoginMethod, LocalMethod>
/** Whether the account has a password in the portal. */
export const isLocal = (method: LoginMethod): method is LocalMethod => recordOf(method).first === 'password'
export const localMethods: LocalMethod[] = loginMethodNames.filter(isLocal)

/** What an account has that nobody asked for more. */
export const defaultMethod: LoginMethod = 'local'

/** Whether a second factor follows what a sign-in asks for first. */
export const asksForTwo = (method: LoginMethod): boolean => recordOf(method).first !== recordOf(method).least
/** Those whose sign-in a second factor ends, and those whose password is the whole proof. */
export const twoStepMethods: LocalMethod[] = localMethods.filter(asksForTwo)
export const oneStepMethods: LocalMethod[] = localMethods.filter((method) => !asksForTwo(method))
/** What a session lacks that does not meet what an organisation asks for. */
export const lackOf = (asked: LoginMethod): LoginMethod => recordOf(asked).more ?? asked
/** Whether the account is found by its personal number. */
export const needsNumber = (method: LoginMethod | null | undefined): boolean => firstOf(method)?.askedOf === 'number'
/** Whether a company's identity provider signs the account in. */
export const isCompany = (method: LoginMethod | null | undefined): boolean => firstOf(method)?.askedOf === 'company'

/** Those of a company's identity provider. */
export const companyMethods: LoginMethod[] = loginMethodNames.filter(isCompany)

/** What a sign-in of the account is worth at the least. */
export const strengthOfLogin = (method: LoginMethod): Strength => signInMethods[recordOf(method).least].strength

/** Whether every sign-in of an account meets what an organisation asks for, but for whose identity provider it is. */
export function meetsLogin(method: LoginMethod, asked: LoginMethod): boolean {
  const { meets }: Method = signInMethods[recordOf(method).least]
  return meets.includes(asked)
}
