import type { MessageKey } from './message-key.ts'

interface Kept {
  env: string
  /** In the table of settings. */
  meaning: string
  /** What the page /privacy/kept calls it. */
  text: MessageKey
  unit: 'day' | 'month'
  fallback: string
  least: number
  most: number
}

const days = { unit: 'day', least: 1, most: 3650 } as const
const months = { unit: 'month', most: 1200 } as const

/**
 * What is removed after some time, declared once. The settings, the jobs that remove it, the page /privacy/kept and the test of
 * docs/privacy.md read this.
 */
export const kept = {
  keepSessions: {
    ...days,
    env: 'KEEP_SESSIONS_DAYS',
    meaning: 'Days after which a session that has expired is removed, with its address and browser.',
    text: 'keptSessions',
    fallback: '7',
  },
  keepLinks: {
    ...days,
    env: 'KEEP_LINKS_DAYS',
    meaning: 'Days after which links, codes and unfinished sign-ins that have expired are removed.',
    text: 'keptLinks',
    fallback: '7',
  },
  keepInvitations: {
    ...days,
    env: 'KEEP_INVITATIONS_DAYS',
    meaning: 'Days after which an invitation that has expired without an answer is removed.',
    text: 'keptInvitations',
    fallback: '90',
  },
  keepMessages: {
    ...days,
    env: 'KEEP_MESSAGES_DAYS',
    meaning:
      'Days after which mails, text messages and messages to services about sign-outs are removed, once they were sent or given up.',
    text: 'keptMessages',
    fallback: '90',
  },
  keepSamlSignIns: {
    ...days,
    env: 'KEEP_SAML_SIGN_INS_DAYS',
    meaning: 'Days after which the details of a sign-in by an organisation are removed.',
    text: 'keptSamlSignIns',
    fallback: '14',
  },
  keepAccessRequests: {
    ...days,
    env: 'KEEP_ACCESS_REQUESTS_DAYS',
    meaning: 'Days after which a refused request for access is removed, with the reason.',
    text: 'keptAccessRequests',
    fallback: '365',
  },
  keepAccessReviews: {
    ...days,
    env: 'KEEP_ACCESS_REVIEWS_DAYS',
    meaning: 'Days after which an access review that is finished is removed.',
    text: 'keptAccessReviews',
    fallback: '730',
  },
  keepDataCopies: {
    ...days,
    env: 'KEEP_DATA_COPIES_DAYS',
    meaning: 'Days after which the copy of their data that someone asked for is removed.',
    text: 'keptDataCopies',
    fallback: '7',
  },
  keepScimLog: {
    ...days,
    env: 'KEEP_SCIM_LOG_DAYS',
    meaning: "Days after which what an organisation's directory sent, and what came of it, is removed from its log.",
    text: 'keptScimLog',
    fallback: '30',
  },
  auditMonths: {
    ...months,
    env: 'AUDIT_MONTHS',
    meaning: 'Months after which events of the audit log are removed, except sign-ins.',
    text: 'keptEvents',
    fallback: '24',
    least: 6,
  },
  auditSignInMonths: {
    ...months,
    env: 'AUDIT_MONTHS_SIGN_INS',
    meaning: 'Months after which sign-ins, failed ones and sign-outs are removed from the audit log.',
    text: 'keptSignIns',
    fallback: '12',
    least: 3,
  },
  auditUnknownSignInMonths: {
    ...months,
    env: 'AUDIT_MONTHS_UNKNOWN_SIGN_INS',
    meaning: 'The same for failed sign-ins with an address that has no account.',
    text: 'keptUnknownSignIns',
    fallback: '3',
    least: 1,
  },
} as const satisfies Record<string, Kept>

export type KeptName = keyof typeof kept
/** For how many days or months each is kept, by the settings. */
export type KeptFor = { readonly [Name in KeptName]: number }

/** "7 days", in a language. */
export const keptTime = (language: string, name: KeptName, count: number): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit: kept[name].unit, unitDisplay: 'long' }).format(count)
