import type { SamlFailure } from '#contract/saml-configs/saml-sign-ins.ts'
import type { SamlTestCheck, SamlTestResult } from '#contract/saml-configs/saml-tests.ts'
import { findAssertedPerson, findSamlAccess } from '#server/features/sign-in/company/asserted-person.repository.ts'
import { cutText } from '#server/platform/cut-text.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { maskSsn } from '#server/platform/secrets/ssn.ts'
import type { SignedContent } from '#server/saml/assertion.ts'
import type { Claims } from '#server/saml/claims.ts'
import { Refusal } from '#server/saml/refusal.ts'
import type { Findings } from '../../saml-configs/saml-configs.ts'

/** Which check a failure belongs to. */
const checkOf: Partial<Record<SamlFailure, SamlTestCheck>> = {
  malformed: 'answer',
  declined: 'answer',
  authnFailed: 'answer',
  noAuthnContext: 'answer',
  nameIdPolicy: 'answer',
  requestDenied: 'answer',
  encrypted: 'encryption',
  signature: 'signature',
  issuer: 'issuer',
  destination: 'destination',
  otherRequest: 'request',
  audience: 'audience',
  clock: 'time',
  sessionOver: 'time',
  attributes: 'attributes',
  unknownPerson: 'person',
  notAllowed: 'person',
  passive: 'person',
}
/** These can be right although the signed part was not read. */
const beforeSignature: readonly SamlTestCheck[] = ['certificate', 'answer', 'encryption']

interface Found {
  failure: SamlFailure
  detail: string
}

interface Examined {
  at: Date
  /** Of the configuration. */
  name: string
  checks: readonly SamlTestCheck[]
  failures: Found[]
  /** What was signed, where the signature was right. */
  content: SignedContent | undefined
  match: Awaited<ReturnType<typeof matchPerson>> | undefined
  /** What of the attributes could not be used. */
  ignored?: readonly string[] | undefined
  /** None of the certificates is valid now. */
  certificateEnded?: boolean
}

/** Each check with its outcome. A person whom the portal does not know yet, an expired certificate, and a value that is ignored are warnings. */
export function summarizeChecks({
  at,
  name,
  failures,
  content,
  match,
  ignored = [],
  certificateEnded,
  ...of
}: Examined): Findings {
  const checks = of.checks.map((check) => {
    const failed = failures.find(({ failure }) => (checkOf[failure] ?? 'answer') === check)
    const isIgnored = check === 'attributes' && !failed && ignored.length > 0
    const { failure = null, detail = isIgnored ? ignored.join('; ') : null } = failed ?? {}
    const known = failed || (check === 'person' ? match : content || beforeSignature.includes(check))
    const isWarning = check === 'person' || check === 'certificate' || isIgnored
    const wrong = check === 'certificate' ? certificateEnded : failed || isIgnored
    const status = !known ? 'notChecked' : !wrong ? 'passed' : isWarning ? 'warning' : 'failed'
    return { check, status, failure, detail } as const
  })
  return {
    at: at.toISOString(),
    name,
    passed: checks.every(({ status, check }) => status === 'passed' || status === 'warning' || check === 'person'),
    checks,
    received: content ? received(content) : null,
    person: match?.person ?? null,
  }
}

/** Runs a step of the check. @returns its result, or everything that it found wrong */
export async function failuresOf<Result>(step: () => Promise<Result>): Promise<{ result?: Result; found: Found[] }> {
  try {
    return { result: await step(), found: [] }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { found: [error, ...error.others].map(({ failure, message }) => ({ failure, detail: message })) }
  }
}

/** The person whom a sign-in would sign in. */
export async function matchPerson(db: Db, keys: Keys, samlConfigId: number, claims: Claims) {
  const person = await findAssertedPerson(db, keys, samlConfigId, claims)
  if (!person) return failed('unknownPerson', 'the configuration has no such person')
  const { accountId, email } = person
  const about = { accountId, email }
  if (!(await findSamlAccess(db, samlConfigId, person)).allowed)
    return failed('notAllowed', 'the configuration may not sign this account in', about)
  if (!person.active && !person.awaited) return failed('passive', 'the person is passive', about)
  return { person: about, found: [] }
}
const failed = (failure: SamlFailure, detail: string, person: SamlTestResult['person'] = null) => ({
  person,
  found: [{ failure, detail }],
})

/** Enough to see what is sent. */
const maxAttributes = 100
const maxValues = 20
const maxLength = 300

const received = ({ issuer, nameId, attributes }: SignedContent) => ({
  issuer: shown(issuer),
  nameId: nameId === undefined ? null : shown(nameId),
  attributes: [...attributes].slice(0, maxAttributes).map(([name, values]) => ({
    name: shown(name),
    values: values.slice(0, maxValues).map(shown),
  })),
})

const personalNumber = /(?<![0-9])(?:[0-9]{2})?[0-9]{6}[ +-]?[0-9]{4}(?![0-9])/g
/** Masks everything that looks like a personal number, in any attribute. */
const shown = (value: string) =>
  cutText(
    value.replaceAll(personalNumber, (number) => maskSsn(number)),
    maxLength,
  )
