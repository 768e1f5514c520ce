import { recoveryCodeLength } from '#contract/second-factors.ts'
import type { CodeDeliveryType } from '#contract/sign-in/sign-in.ts'
import type { Db } from '#server/platform/database/database.ts'
import { addressKey } from '#server/platform/limits/address.ts'
import type { LimitKey } from '#server/platform/limits/limits.ts'
import type { CheckContext } from './credentials.ts'
import { isKnownTo, knownBrowser, provenBrowser } from './known-browser.ts'
import type { Person } from './people.repository.ts'

type Context = Pick<CheckContext, 'config' | 'keys' | 'http'>
type Owner = Pick<Person, 'accountId' | 'email' | 'browsersKnownFrom'>

/**
 * What codes that are sent count against. A browser that has proven a second factor to this account has a budget of its own, which
 * somebody with the password alone cannot use up; the total bounds what all of them cost.
 */
export function sendLimits(context: Context, { person, by }: { person: Owner; by: CodeDeliveryType }): LimitKey[] {
  const { accountId } = person
  const key = budgetOf(context, person)
  if (by === 'email') return [{ name: 'codeSend', key }]
  return [
    { name: 'smsCodeSend', key },
    { name: 'smsSend', key },
    { name: 'smsSendTotal', key: accountId },
  ]
}

/**
 * What a typed code counts against, until it proves right. Nobody guesses a recovery code: its count bounds the work, and is
 * where it is typed, so that wrong codes elsewhere do not keep the owner from a right one.
 */
export function guessLimits(context: Context & { ip: string }, person: Owner, code: string): LimitKey[] {
  const { accountId, email } = person
  const { request } = context.http
  const known = isKnownTo(request, context, person) ? knownBrowser(request, context, email) : undefined
  const address = addressKey(context.ip)
  const ofAddress: LimitKey[] = known === undefined ? [{ name: 'addressFailures', key: address }] : []
  if (code.length >= recoveryCodeLength)
    return [{ name: 'wrongRecoveryCode', key: `${accountId} ${known ?? address}` }, ...ofAddress]
  return [
    { name: 'wrongCode', key: budgetOf(context, person) },
    { name: 'wrongCodeTotal', key: accountId },
    ...ofAddress,
  ]
}

const budgetOf = ({ config, keys, http }: Context, owner: Owner): string => {
  const { accountId } = owner
  const browser = provenBrowser(http.request, { config, keys }, owner)
  return browser === undefined ? accountId : `${accountId} ${browser}`
}

/** A new password: what was counted of strangers, who had the old one, holds up its owner no more. The totals stay. */
export const forgetStrangers = ({ limits }: Pick<CheckContext, 'limits'>, db: Db, accountId: string): Promise<void> =>
  limits.forget(
    db,
    (['wrongCode', 'codeSend', 'smsCodeSend', 'smsSend'] as const).map((name) => ({ name, key: accountId })),
  )
