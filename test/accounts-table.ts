/** The login method of an account; for SAML, also whether the company's domain covers the address. */
export const methods = ['local', 'local2FA', 'bankid', 'saml in its domain', 'saml outside its domain'] as const
export type Method = (typeof methods)[number]

/** How the address was proven; `operator` is a super user created by the operator of the portal. */
export const proofs = ['none', 'mailedLink', 'mailedCode', 'samlDomain', 'operator'] as const
export type AccountProof = (typeof proofs)[number]

/** What another organisation reaches by inviting the address of such an account. */
export interface Reach {
  /** By the link that an admin of that organisation sees. */
  shown: 'nothing'
  /** By the link in the mail, without a session. */
  mailed: 'replaces it' | 'asks to sign in'
  /** By a click on the launcher. */
  click: 'joins' | 'nothing' | 'no sign-in'
  /** By the link in the mail, signed in. */
  signedIn: 'joins' | 'nothing' | 'no sign-in'
  /** What the account's own sign-in makes of its number, which an account of that organisation claims, too. */
  number: 'proven, theirs is emptied' | 'both stay claims'
  /** By a super user who adds the account as a member. */
  word: 'joins' | 'asks for a reason'
}

const number = 'both stay claims'
const unproven: Reach = {
  ...{ shown: 'nothing', mailed: 'replaces it', click: 'nothing', signedIn: 'nothing' },
  ...{ number, word: 'asks for a reason' },
}
const proven: Reach = {
  ...{ shown: 'nothing', mailed: 'asks to sign in', click: 'joins', signedIn: 'joins' },
  ...{ number, word: 'joins' },
}
const operator: Reach = { ...proven, click: 'nothing', word: 'asks for a reason' }
const shutOut = { click: 'no sign-in', signedIn: 'no sign-in' } as const

const withPassword: Record<AccountProof, Reach> = {
  none: unproven,
  mailedLink: proven,
  mailedCode: proven,
  samlDomain: proven,
  operator,
}

const withBankId = Object.fromEntries(
  Object.entries(withPassword).map(([proof, reach]) => [proof, { ...reach, number: 'proven, theirs is emptied' }]),
) as Record<AccountProof, Reach>

/** The database refuses such an account: a super user cannot sign in with SAML. */
export const impossible = 'impossible'

/** Written from the product's rules, and tested through the HTTP API by `accounts.test.ts`. */
export const accountsTable: Record<Method, Record<AccountProof, Reach | typeof impossible>> = {
  local: withPassword,
  local2FA: withPassword,
  bankid: withBankId,
  // The first sign-in proves the address.
  'saml in its domain': {
    ...withPassword,
    none: { ...proven, mailed: 'replaces it', word: 'asks for a reason' },
    operator: impossible,
  },
  // The company decides who signs in, which does not prove who owns the address.
  'saml outside its domain': {
    none: { ...unproven, ...shutOut },
    mailedLink: { ...proven, click: 'nothing' },
    mailedCode: { ...proven, click: 'nothing' },
    samlDomain: { ...proven, ...shutOut },
    operator: impossible,
  },
}

/** The table as `docs/accounts.md` shows it. */
export function accountsPage(): string {
  const rows = methods.flatMap((method) =>
    proofs.map((proof) => {
      const reach = accountsTable[method][proof]
      const cells =
        reach === impossible
          ? Array(6).fill(reach)
          : [reach.shown, reach.mailed, reach.click, reach.signedIn, reach.number, reach.word]
      return `| ${[method, proof, ...cells].join(' | ')} |`
    }),
  )
  return [
    '| signs in by | proof | link that an admin reads | mailed link | click on the launcher | mailed link, signed in | its number | word of a super user |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
