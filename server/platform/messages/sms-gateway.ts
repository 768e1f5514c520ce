import { SmsFailure } from './sms.ts'

/** Credentials and URL of a gateway. */
export interface SmsAccount {
  /** Base URL of the gateway, without a trailing slash. */
  url: string
  username: string
  password: string
  /** Sender: a number, at most 11 letters and digits, or another form that the gateway supports. */
  from: string
  /** Time-out in milliseconds; 3,000 by default. */
  timeout?: number | undefined
}

interface GatewayCall {
  gateway: string
  account: SmsAccount
  path: string
  form: Record<string, string>
  signal?: AbortSignal | undefined
  /** Extracts the reason of an error response without sensitive data; undefined where it is unknown. */
  reason: (body: string) => string | undefined
}

/**
 * Posts a form to a gateway and returns the response body.
 *
 * @throws SmsFailure, which says whether a retry may help
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
    // The credentials must not be sent to the target of a redirect.
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  })
    .then(async (answer) => ({ status: answer.status, headers: answer.headers, body: await answer.text() }))
    .catch(() => {
      // Without the cause, which may quote the request.
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

/** Retry-After in seconds; the date form is ignored. */
const seconds = (header: string | null) => (header && /^\d{1,5}$/.test(header) ? Number(header) : undefined)

/** Parses JSON; undefined if it is invalid, which the schema of the caller then rejects. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
