import type { AddressInfo } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A received mail. */
export interface ReceivedMail {
  from: string
  to: string[]
  /** The credentials that the client sent. */
  user: unknown
  subject: string
  text: string
  html: string
}

export interface MailServer {
  /** The value of SMTP_URL, with credentials. */
  url: string
  received: readonly ReceivedMail[]
  /** Addresses that are rejected permanently, like unknown mailboxes. */
  refused: Set<string>
  close(): Promise<void>
}

const account = { username: 'portal', password: 'p@ss/word' }

/** Starts a mail server on its own port, which keeps all mails. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const refused = new Set<string>()
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === account.username && password === account.password
        ? done(null, { user: username })
        : done(new Error('wrong user name or password')),
    onRcptTo: ({ address }, _session, done) =>
      refused.has(address) ? done(Object.assign(new Error('no such mailbox'), { responseCode: 550 })) : done(),
    onData: (stream, { envelope, user }, done) => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      const to = envelope.rcptTo.map(({ address }) => address)
      readAll(stream).then((content) => {
        received.push({ from, to, user, ...readMail(content) })
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const login = `${account.username}:${encodeURIComponent(account.password)}`
  return {
    url: `smtp://${login}@127.0.0.1:${port}`,
    received,
    refused,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Reads subject and both bodies of a multipart/alternative, as mail programs do (RFC 2045, RFC 2046, RFC 2047). */
function readMail(content: string): Pick<ReceivedMail, 'subject' | 'text' | 'html'> {
  const { headers, body } = part(content)
  const boundary = /boundary="?([^";]+)/i.exec(headers.get('content-type') ?? '')?.[1]
  if (!boundary) throw new Error('not a mail of several parts')
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((each) => part(each.replace(/^\r\n/, '')))
  const bodyOf = (type: string) => {
    const found = parts.find((each) => each.headers.get('content-type')?.startsWith(type))
    if (!found) throw new Error(`the mail has no ${type}`)
    return decoded(found.body, found.headers.get('content-transfer-encoding'))
  }
  return {
    subject: decodedWords(headers.get('subject') ?? ''),
    text: bodyOf('text/plain'),
    html: bodyOf('text/html'),
  }
}

function part(content: string): { headers: Map<string, string>; body: string } {
  const end = content.indexOf('\r\n\r\n')
  const lines = content
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { headers: new Map(headers), body: content.slice(end + 4) }
}

function decoded(body: string, encoding = '7bit'): string {
  if (encoding.toLowerCase() === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  return encoding.toLowerCase() === 'quoted-printable' ? unquoted(body.replaceAll('=\r\n', '')) : body
}

const unquoted = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

const decodedWords = (text: string) =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, how: string, word: string) =>
      how.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString('utf8') : unquoted(word.replaceAll('_', ' ')),
    )
