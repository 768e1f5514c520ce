/** What an account has beside its password. */
export const kinds = [
  'nothing',
  'codes by mail',
  'a confirmed phone',
  'an app',
  'a security key',
  'a passkey',
  'BankID',
  'an app and a security key, codes by mail switched off',
] as const
export type Kind = (typeof kinds)[number]

/**
 * What somebody else has. The mailbox also resets the password and presses "This was not me"; an admin enters numbers of their own;
 * two take off factors, at once or after a day.
 */
export const holdings = [
  'the password',
  'the mailbox',
  'both',
  'the password and two admins',
  'the mailbox and an admin',
  'the mailbox and two admins',
] as const
export type Holding = (typeof holdings)[number]

const no = 'stays shut'
const yes = 'opens'
export type Outcome = typeof no | typeof yes

const row = (...outcomes: Outcome[]) =>
  Object.fromEntries(holdings.map((holding, place) => [holding, outcomes[place] ?? no])) as Record<Holding, Outcome>

/** Codes by mail are one click away for who knows the password; two admins may help somebody who has lost everything else. */
const stronger = row(no, no, yes, no, no, yes)

/** Written from the product's rules, and tested through the HTTP API by `opens.test.ts`. */
export const opensTable: Record<Kind, Record<Holding, Outcome>> = {
  nothing: row(yes, yes, yes, yes, yes, yes),
  'codes by mail': row(no, yes, yes, no, yes, yes),
  'a confirmed phone': stronger,
  'an app': stronger,
  'a security key': stronger,
  'a passkey': stronger,
  BankID: stronger,
  'an app and a security key, codes by mail switched off': { ...stronger, both: no },
}

/** What somebody proves on a page that looks like ours and passes everything on. */
export const relayed = [
  'password',
  'password and code by mail',
  'password and code by SMS',
  'password and code of an app',
  'password and recovery code',
  'password and security key',
  'passkey',
  'BankID by its QR code',
] as const
export type Relayed = (typeof relayed)[number]

interface Gain {
  session: 'a session' | 'nothing'
  /** Within the ten minutes in which the proof is fresh; the owner is mailed, with "This was not me". */
  factor: 'yes' | 'no'
}
const code: Gain = { session: 'a session', factor: 'yes' }
const nothing: Gain = { session: 'nothing', factor: 'no' }

/** What a relaying page gets by each method. */
export const relayTable: Record<Relayed, Gain> = {
  password: { session: 'a session', factor: 'no' },
  'password and code by mail': code,
  'password and code by SMS': code,
  'password and code of an app': code,
  'password and recovery code': code,
  'password and security key': nothing,
  passkey: nothing,
  'BankID by its QR code': code,
}

/** The tables as `docs/accounts.md` shows them. */
export const opensPage = (): string =>
  [
    `| beside the password | ${holdings.join(' | ')} |`,
    `|---|${'---|'.repeat(holdings.length)}`,
    ...kinds.map((kind) => `| ${[kind, ...holdings.map((holding) => opensTable[kind][holding])].join(' | ')} |`),
  ].join('\n')

export const relayPage = (): string =>
  [
    '| proven on the page | what it gets | adds a factor of its own |',
    '|---|---|---|',
    ...relayed.map((method) => `| ${[method, relayTable[method].session, relayTable[method].factor].join(' | ')} |`),
  ].join('\n')
