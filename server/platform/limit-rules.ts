const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** How often something may happen: `points` times in `seconds`, counted from the first. */
export interface LimitRule {
  points: number
  seconds: number
  /** Beyond the points: a pause after each further time, doubling, instead of the rest of the window. */
  pause?: { firstSeconds: number; maxSeconds: number }
  /** A second rule that counts the same events. */
  also?: string
}

/**
 * Every limit of security.md. Each is a setting: `LIMIT_AUTH_TYPE=30/60` is `authType`, 30 in 60 seconds.
 * What the key of a limit is, is said by its comment.
 */
export const limitRules = {
  /** account + address. Five are free, then a pause; a success forgets this pair only. */
  wrongPassword: { points: 5, seconds: day, pause: { firstSeconds: 1, maxSeconds: 15 * minute } },
  /** account, from all addresses. */
  wrongPasswordAccount: { points: 10, seconds: 15 * minute, pause: { firstSeconds: 60, maxSeconds: 15 * minute } },
  /** account + a browser that signed in to it before: others cannot use its budget up. */
  wrongPasswordBrowser: { points: 10, seconds: 15 * minute, pause: { firstSeconds: 60, maxSeconds: 15 * minute } },
  /** address. */
  addressFailures: { points: 20, seconds: 5 * minute, also: 'addressFailuresHourly' },
  addressFailuresHourly: { points: 100, seconds: hour },
  /** account; when it is used up the owner gets a mail. */
  wrongCode: { points: 20, seconds: day },
  /** account. */
  codeSend: { points: 1, seconds: 30, also: 'codeSendHourly' },
  codeSendHourly: { points: 5, seconds: hour },
  /** account; on top of `codeSend`. */
  smsSend: { points: 3, seconds: 15 * minute, also: 'smsSendDaily' },
  smsSendDaily: { points: 10, seconds: day },
  /** address. */
  resetRequest: { points: 10, seconds: hour },
  /** account; refused in silence. */
  resetRequestAccount: { points: 3, seconds: hour },
  /** address: reset and invitation links. */
  tokenLookup: { points: 20, seconds: 10 * minute },
  /** account: personal numbers that it would have as its own. Whether one is taken tells who else is here. */
  ownSsn: { points: 10, seconds: day },
  /** admin. */
  invitation: { points: 50, seconds: hour },
  /** admin: people in a bulk import. */
  importedInvitation: { points: 2000, seconds: hour },
  /** invitation. */
  invitationResend: { points: 1, seconds: 5 * minute },
  /** address. */
  authType: { points: 30, seconds: minute },
  /** address: orders begun; none of them is a failure. */
  bankidStart: { points: 30, seconds: minute },
  /** address: ways to a company's sign-in, and back. A whole company may share an address. */
  samlSignIn: { points: 240, seconds: minute },
  /** address: answers of companies that signed nobody in. Further ones are refused like these, and leave no event. */
  samlFailures: { points: 20, seconds: 5 * minute, also: 'samlFailuresHourly' },
  samlFailuresHourly: { points: 100, seconds: hour },
  /** session. */
  api: { points: 300, seconds: minute },
  /** address. */
  clientErrors: { points: 10, seconds: minute },
} as const satisfies Record<string, LimitRule>

export type LimitName = keyof typeof limitRules

/**
 * The rules with the settings put in.
 *
 * @throws Error naming a `LIMIT_…` setting that there is no limit for
 */
export function limitRulesWith(
  settings: ReadonlyMap<string, { points: number; seconds: number }>,
): Readonly<Record<string, LimitRule>> {
  const rules: Record<string, LimitRule> = { ...limitRules }
  for (const [name, { points, seconds }] of settings) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (!rule) {
      const setting = `LIMIT_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
      throw new Error(`${setting} is no limit; there are ${Object.keys(limitRules).join(', ')}`)
    }
    rules[name] = { ...rule, points, seconds }
  }
  return rules
}
