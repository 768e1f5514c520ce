import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message that the gateway accepted. */
export interface AcceptedSms {
  gateway: '46elks' | 'twilio'
  from: string
  to: string
  text: string
  /** The received form. */
  form: Record<string, string>
}

/** A failure of the gateway. */
export type Fault =
  | { status: number; body?: string; headers?: Record<string, string> }
  /** The gateway never responds. */
  | 'silence'
  /** The gateway closes the connection. */
  | 'hang up'

export interface SmsGateway {
  /** Base address, for SMS_URL. */
  url: string
  taken: readonly AcceptedSms[]
  /** Makes the next request fail with this fault. */
  failNext(fault: Fault): void
  close(): Promise<void>
}

interface Options {
  username: string
  password: string
  /** Default: a free port. */
  port?: number
}

/** A local server with the HTTP APIs of 46elks and Twilio: the same paths, authentication, forms and responses. */
export async function startSmsGateway({ username, password, port = 0 }: Options): Promise<SmsGateway> {
  const taken: AcceptedSms[] = []
  const faults: Fault[] = []
  const credentials = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const twilioPath = `/2010-04-01/Accounts/${username}/Messages.json`

  const server = createServer(async (request, response) => {
    const form = await readForm(request)
    const fault = faults.shift()
    if (fault === 'silence') return
    if (fault === 'hang up') return request.socket.destroy()
    if (fault) return response.writeHead(fault.status, fault.headers).end(fault.body)
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
    const call = { form: isForm ? form : {}, known: request.headers.authorization === credentials, taken, response }
    if (request.method === 'POST' && request.url === '/a1/sms') return elks(call)
    if (request.method === 'POST' && request.url === twilioPath) return twilio({ ...call, username })
    return response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    failNext: (fault) => void faults.push(fault),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

interface Call {
  form: Record<string, string>
  known: boolean
  taken: AcceptedSms[]
  response: ServerResponse
}

const isNumber = (text: string) => /^\+[1-9][0-9]{7,14}$/.test(text)
const isSender = (text: string) => isNumber(text) || /^[A-Za-z][A-Za-z0-9]{0,10}$/.test(text)

// 46elks sends errors as plain text, and returns the message.
function elks({ form, known, taken, response }: Call): ServerResponse {
  const { from = '', to = '', message: text = '' } = form
  const refuse = (status: number, reason: string) =>
    response.writeHead(status, { 'content-type': 'text/plain' }).end(reason)
  if (!known) return refuse(401, 'API access requires Basic HTTP authentication. Read documentation or examples.')
  if (!isSender(from)) return refuse(400, `Invalid from '${from}'`)
  if (!isNumber(to)) return refuse(400, `Invalid to number '${to}'`)
  if (text === '') return refuse(400, 'Missing message')
  taken.push({ gateway: '46elks', from, to, text, form })
  const sent = { status: 'created', direction: 'outgoing', from, created: new Date().toISOString(), parts: 1, to }
  return response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ ...sent, cost: 3500, message: text, id: `s${taken.length}` }))
}

// Twilio sends its own error codes, and returns 201 with a queued message.
function twilio({ form, known, taken, response, username }: Call & { username: string }): ServerResponse {
  const { To: to = '', Body: text = '' } = form
  const from = form.MessagingServiceSid ?? form.From ?? ''
  const reply = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const refuse = (status: number, code: number, message: string) =>
    reply(status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status })
  if (!known) return refuse(401, 20003, 'Authenticate')
  if (from === '') return refuse(400, 21603, "A 'From' phone number is required.")
  if (!isNumber(to)) return refuse(400, 21211, `The 'To' number ${to} is not a valid phone number.`)
  if (text === '') return refuse(400, 21602, 'Message body is required.')
  taken.push({ gateway: 'twilio', from, to, text, form })
  const sid = `SM${String(taken.length).padStart(32, '0')}`
  return reply(201, { sid, account_sid: username, status: 'queued', from, to, body: text, error_code: null })
}

async function readForm(request: IncomingMessage): Promise<Record<string, string>> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return Object.fromEntries(new URLSearchParams(body))
}
