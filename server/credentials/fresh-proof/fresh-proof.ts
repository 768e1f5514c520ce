import { type LoginMethod, strengthOfLogin } from '#contract/login-methods.ts'
import { allMethods, type Factor, type Strength, signInMethods, strengths } from '#contract/sign-in-methods.ts'
import type { Config } from '#server/config.ts'
import type { Proofs } from '#server/oidc/proofs.ts'
import { provesMoreThanMail } from '#server/oidc/sign-in-method.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Problem } from '#server/platform/problem.ts'
import type { HasFreshProof, Session, SessionUser } from '#server/platform/system.ts'
import { hasApp } from '../factors/authenticator-apps.repository.ts'
import { hasTwoSteps } from '../factors/factors.repository.ts'
import { findKeyKinds } from '../passkeys/passkeys.repository.ts'

/** Milliseconds for which a proof is fresh (product-rules 5.8). */
export const freshFor = 10 * 60_000

/** The factors of a session whose proof is fresh. */
export const freshFactors = (proofs: Proofs, now: Date): Factor[] =>
  (Object.entries(proofs) as [Factor, number][]).flatMap(([factor, at]) =>
    now.getTime() - at <= freshFor ? [factor] : [],
  )

const strongest = (of: readonly (Strength | false)[]) => Math.max(strengths.none, ...of.map(Number)) as Strength

/** What fresh factors are worth together: what is not enough alone counts beside a password. */
export function strengthOf(fresh: readonly Factor[]): Strength {
  const hasPassword = fresh.includes(signInMethods.password.proof)
  return strongest(
    allMethods.map(
      ([, { proof, alone, strength }]) => fresh.some((one) => one === proof) && (alone || hasPassword) && strength,
    ),
  )
}

/** The factors that an account has beyond its sign-in method. */
export interface OwnFactors {
  app: boolean
  /** A passkey or security key. */
  key: boolean
  /** A passkey, which is enough alone. */
  passkey: boolean
  /** The person has chosen to sign in by two steps. */
  twoSteps: boolean
}

/** What the strongest factor of an account is worth. */
export const strongestOf = ({
  loginMethod,
  app,
  key,
  twoSteps,
}: Omit<OwnFactors, 'passkey'> & { loginMethod: LoginMethod }): Strength =>
  strongest([
    strengthOfLogin(loginMethod),
    key && signInMethods.securityKey.strength,
    app && signInMethods.app.strength,
    twoSteps && signInMethods.email.strength,
  ])

/** The factors that an account has beyond its sign-in method. */
export const findOwnFactors = async (db: Db, accountId: string, rpId: string): Promise<OwnFactors> => ({
  app: await hasApp(db, accountId),
  twoSteps: await hasTwoSteps(db, accountId),
  ...(await findKeyKinds(db, accountId, rpId)),
})

/**
 * A new factor needs more than a password: a stolen one would bring a factor of its own, which outlives it. Everybody can be
 * sent a code.
 *
 * @throws Problem 403 `codeRequired`
 */
export function requireSecondProof(session: Session, now: Date): void {
  if (!hasSecondProof(session, now)) throw new Problem(403, 'codeRequired')
}

/** Whether the session has proven more than a password within the last minutes. */
export const hasSecondProof = ({ proofs }: Session, now: Date): boolean =>
  freshFactors(proofs, now).some((factor) => factor !== signInMethods.password.proof)

/**
 * A first passkey outlives the mailbox: where the person has proven a phone or has BankID, a code by mail alone brings none. In
 * this session, whatever the browser.
 *
 * @returns whether the session has proven the phone, or something stronger
 */
export const hasProvenMoreThanMail = (
  { amr }: Session,
  { phoneProven, hasBankId }: { phoneProven: boolean; hasBankId: boolean },
  { bankidUrl, production }: Pick<Config, 'bankidUrl' | 'production'>,
): boolean =>
  // Outside of production BankID is simulated.
  !(phoneProven || (hasBankId && (bankidUrl !== undefined || !production))) || provesMoreThanMail(amr)

/** Whether the password is all that an account has. */
export const hasOnlyPassword = async (db: Db, user: SessionUser, rpId: string): Promise<boolean> =>
  (await findStrongest(db, user, rpId)) === strengths.password

const findStrongest = async (db: Db, user: SessionUser, rpId: string) =>
  strongestOf({ ...user, ...(await findOwnFactors(db, user.accountId, rpId)) })

/** The check of the door for dangerous calls. */
export const createHasFreshProof =
  (db: Db, rpId: string): HasFreshProof =>
  async ({ user, proofs }, now) => {
    const given = strengthOf(freshFactors(proofs, now))
    // Nothing is weaker than the least that an account has, and nothing stronger than the most.
    if (given === strengths.none || given === strengths.strong) return given === strengths.strong
    return given >= (await findStrongest(db, user, rpId))
  }
