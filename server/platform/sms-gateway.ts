import { SmsFailure } from './sms.ts'

/** What every gateway is reached with. */
export interface SmsAccount {
  /** Base address of the gateway, without a slash at the end. */
  url: string
  username: string
  password: string
  /** Sender: a number, at most 11 letters and digits, or what else the gateway knows. */
  from: string
  /** Milliseconds until a gateway that does not answer counts as down; 3,000 unless told. */
  timeout?: number | undefined
}

interface GatewayCall {
  gateway: string
  account: SmsAccount
  path: string
  form: Record<string, string>
  signal?: AbortSignal | undefined
  /** What a refusal says about its reason, in words that are safe to keep; nothing where that is unknown. */
  reason: (body: string) => string | undefined
}

/**
 * Posts a form to a gateway and gives the body of its answer.
 *
 * @throws SmsFailure, which says whether another try can help
 */
export async function postToGateway({ gateway, account, path, form, signal, reason }: GatewayCall): Promise<string> {
  const timeout = AbortSignal.timeout(account.timeout ?? 3000)
  const { status, headers, body } = await fetch(`${account.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams(form).toString(),
    // A gateway does not move by itself: whoever redirects us must not get the credentials.
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  })
    .then(async (answer) => ({ status: answer.status, headers: answer.headers, body: await answer.text() }))
    .catch(() => {
      // The cause is left out: it may quote the request.
      const what = timeout.aborted ? 'did not answer in time' : signal?.aborted ? 'was given up' : 'cannot be reached'
      throw new SmsFailure(`${gateway} ${what}`, { retry: true })
    })
  if (status >= 200 && status < 300) return body
  const why = reason(body)
  throw new SmsFailure(`${gateway} answered ${status}${why ? `: ${why}` : ''}`, {
    retry: status >= 500 || status === 429 || status === 408,
    retryAfter: seconds(headers.get('retry-after')),
  })
}

/** Retry-After as seconds; the form with a date is not worth the trouble. */
const seconds = (header: string | null) => (header && /^\d{1,5}$/.test(header) ? Number(header) : undefined)

/** JSON, or nothing: what a gateway sends is checked by a schema anyway. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
