import { type RawBuilder, sql } from 'kysely'
import {
  companyMethods,
  isCompany,
  localMethods,
  loginMethodNames,
  loginMethods,
  needsNumber,
  twoStepMethods,
} from '#contract/login-methods.ts'
import { secondFactorKinds } from '#contract/second-factors.ts'
import {
  allMethods,
  type Floor,
  type Method,
  type MethodName,
  methodsWhere,
  raisingMethods,
  signInMethods,
} from '#contract/sign-in-methods.ts'

const methodOf = (name: MethodName): Method => signInMethods[name]
const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')
const list = (names: readonly string[]) => sql.join(names)

/** The login methods with a password in the portal, for `login_method in (…)`. */
export const localList: RawBuilder<unknown> = list(localMethods)
/** Those whose sign-in a second factor ends. */
export const twoStepList: RawBuilder<unknown> = list(twoStepMethods)
/** Those that find an account by its personal number. */
export const numberList: RawBuilder<unknown> = list(loginMethodNames.filter(needsNumber))
/** Those that meet what organisations ask of their admins. */
export const strongLogins: RawBuilder<unknown> = list(
  loginMethodNames.filter((name) => methodOf(loginMethods[name].least).meets.includes('strongAdmins')),
)
/** Those of a company's identity provider. */
export const companyList: RawBuilder<unknown> = list(companyMethods)

/** The kinds of an `amr` of which one meets a floor. */
const kindsThatMeet = (floor: Floor) => [
  ...new Set(allMethods.flatMap(([, { amr, meets }]) => (meets.includes(floor) ? [amr[0]] : []))),
]

// Every session has proven as much.
const { meets: weakest } = methodOf('password')

const personProofNames = methodsWhere(({ proves }) => proves === 'person')
/** For `ssn_proof in (…)`: the person proved it, and no company. */
export const ownProofs: RawBuilder<unknown> = list(raisingMethods)

/** What a session has proven that meets each login method of an organisation. */
const meetsLogin = loginMethodNames.map((asked) => {
  const proven = `amr ?| array[${quoted(kindsThatMeet(asked))}]`
  const meets = isCompany(asked) ? `entry = 'guest' or (${proven} and organization_saml = account_saml)` : proven
  return `when login_method = '${asked}' then ${weakest.includes(asked) ? 'true' : meets}`
})

/** What counts whichever second factors an organisation takes: what is enough alone, and nobody can choose to leave out. */
const always = allMethods.filter(
  ([, { alone, secondFactor, meets }]) => alone && !secondFactor && meets.includes('local2FA'),
)

/** The names in an `amr` of the second factors that an organisation takes: their own, or else their mark. */
const takenFactors = secondFactorKinds.reduce((taken, kind) => {
  const { amr, mark } = methodOf(kind)
  return amr.includes(kind) ? taken : `array_replace(${taken}, '${kind}', '${mark}')`
}, 'second_factors')

/** What `server/schema/` leaves to the contract, by the names there: `login_method in ({{localMethods}})`. */
export const schemaLists: Readonly<Record<string, string>> = {
  loginMethods: quoted(loginMethodNames),
  localMethods: quoted(localMethods),
  companyMethods: quoted(companyMethods),
  ownProofs: quoted(raisingMethods),
  personProofs: quoted(personProofNames),
  secondFactors: quoted(secondFactorKinds),
  takenFactors: `(${takenFactors} || array[${quoted(always.map(([, { mark }]) => mark))}])`,
  strongAdmins: quoted(kindsThatMeet('strongAdmins')),
  meetsLogin: meetsLogin.join('\n    '),
}
