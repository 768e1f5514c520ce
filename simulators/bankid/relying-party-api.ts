import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { madeUpSignature, type Order, type Orders } from './orders.ts'
import type { Progress, Trouble } from './progress.ts'

/** The path of the API, with its version. */
export const basePath = '/rp/v6.0'

const base64 = z.string().check(z.maxLength(2000), z.regex(/^[A-Za-z0-9+/]+={0,2}$/))
const authInput = z.strictObject({
  endUserIp: z.string().check(z.refine((text) => isIP(text) !== 0)),
  requirement: z.optional(z.looseObject({ personalNumber: z.optional(z.string().check(z.regex(/^[0-9]{12}$/))) })),
  userVisibleData: z.optional(base64),
  returnUrl: z.optional(z.url().check(z.maxLength(512))),
  returnRisk: z.optional(z.boolean()),
  web: z.optional(z.strictObject({ referringDomain: z.string(), userAgent: z.string(), deviceIdentifier: z.string() })),
})
const orderInput = z.strictObject({ orderRef: z.uuid() })

interface Answer {
  status: number
  body: unknown
}
const refusal = (status: number, errorCode: string, details: string): Answer => ({
  status,
  body: { errorCode, details },
})

/** The next failures of each call, for any order. */
export type Failures = Record<'auth' | 'collect' | 'cancel', Trouble[]>

/** BankID's relying party API. The server around it has checked the client's certificate. */
export function relyingPartyApi(orders: Orders, breaks: Failures): RequestListener {
  const calls: Record<string, (input: unknown) => Answer | Trouble> = {
    auth(input) {
      const trouble = breaks.auth.shift()
      if (trouble) return trouble
      const read = z.safeParse(authInput, input)
      if (!read.success) return invalid(read.error.issues[0]?.path.join('.') || 'body')
      const { endUserIp, userVisibleData, returnRisk = false, returnUrl } = read.data
      const text = userVisibleData ? Buffer.from(userVisibleData, 'base64').toString('utf8') : null
      const order = orders.begin({ endUserIp, text, returnRisk, returnUrl })
      const { orderRef, autoStartToken, qrStartToken, qrStartSecret } = order
      return { status: 200, body: { orderRef, autoStartToken, qrStartToken, qrStartSecret } }
    },
    collect(input) {
      const trouble = breaks.collect.shift()
      if (trouble) return trouble
      const read = z.safeParse(orderInput, input)
      if (!read.success) return invalid('orderRef')
      const found = orders.collect(read.data.orderRef)
      if (!found) return refusal(400, 'invalidParameters', 'No such order')
      if ('trouble' in found) return found.trouble
      return { status: 200, body: { orderRef: found.order.orderRef, ...collected(found.order, found.progress) } }
    },
    cancel(input) {
      const trouble = breaks.cancel.shift()
      if (trouble) return trouble
      const read = z.safeParse(orderInput, input)
      const done = read.success && orders.cancel(read.data.orderRef)
      return done ? { status: 200, body: {} } : refusal(400, 'invalidParameters', 'No such order')
    },
  }

  return async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'https://simulator.invalid')
    const call = pathname.startsWith(`${basePath}/`) ? calls[pathname.slice(basePath.length + 1)] : undefined
    if (!call) return send(response, refusal(404, 'notFound', 'An erroneous URL path was used'))
    if (request.method !== 'POST') return send(response, refusal(405, 'methodNotAllowed', 'Only POST is allowed'))
    // Like BankID, refuse a content type with a charset.
    if (request.headers['content-type'] !== 'application/json')
      return send(response, refusal(415, 'unsupportedMediaType', 'Adding "charset=UTF-8" or the like is not allowed'))
    const input = await readJson(request)
    send(response, call(input))
  }
}

const invalid = (what: string) => refusal(400, 'invalidParameters', `Invalid parameter: ${what}`)

function collected({ returnRisk, endUserIp }: Order, progress: Progress) {
  if (progress.status !== 'complete') return progress
  const { person, risk } = progress
  return {
    status: 'complete',
    completionData: {
      user: { ...person, name: `${person.givenName} ${person.surname}` },
      device: { ipAddress: endUserIp, uhi: 'simulated' },
      bankIdIssueDate: '2024-05-01Z',
      signature: madeUpSignature(),
      ocspResponse: madeUpSignature(),
      ...(returnRisk ? { risk } : {}),
    },
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function send(response: ServerResponse, answer: Answer | Trouble): void {
  if (answer.status === 'silence') return
  if (answer.status === 'cut') return void response.destroy()
  const limited = answer.status === 429 ? { 'ratelimit-limit': '10', 'ratelimit-reset': '5', 'retry-after': '5' } : {}
  const body =
    'body' in answer ? answer.body : { errorCode: answer.errorCode ?? 'internalError', details: 'Made to fail' }
  response.writeHead(answer.status, { 'content-type': 'application/json', ...limited }).end(JSON.stringify(body))
}
