import { createHash, createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { AddressInfo, Socket } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { selfSigned } from '#test/saml/certificate.ts'
import { secret } from '../secret.ts'
import type { Mailer, MailFailure, MailToSend } from './mailer.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

interface Received {
  from: string
  to: string[]
  user: unknown
  content: string
}

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A mail server on a socket, which `options` make difficult, and the portal's mailer with settings of its `own`. */
async function start(
  options: SMTPServerOptions = {},
  { host = '127.0.0.1', ...own }: Partial<Parameters<typeof createSmtpMailer>[0]> & { host?: string } = {},
  onSocket: (socket: Socket) => void = () => {},
): Promise<{ mailer: Mailer; received: Received[] }> {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, callback) =>
      password === 'p@ss/word' ? callback(null, { user: username }) : callback(new Error('no')),
    onData: (stream, { envelope, user }, callback) => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      readAll(stream).then((content) => {
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), user, content })
        callback()
      }, callback)
    },
    ...options,
  })
  server.server.on('connection', onSocket)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const url = secret(`smtp://portal:p%40ss%2Fword@${host}:${port}`)
  const mailer = createSmtpMailer({
    url,
    from: 'no-reply@vestibule.example',
    company: 'Östra vården, IT',
    host: 'portal.vestibule.example',
    requireTls: false,
    ...own,
  })
  closing.push(
    () => mailer.close(),
    () => new Promise((resolve) => server.close(() => resolve())),
  )
  return { mailer, received }
}

const mail: MailToSend = {
  id: '019f0000-0000-7000-8000-000000000001',
  to: 'user@nordvik.example',
  language: 'sv',
  subject: 'Välkommen till Östra sjukhuset',
  text: 'Hej Åsa',
  html: '<p>Hej Åsa</p>',
}
const failureOf = (sending: Promise<void>) => sending.then(() => undefined).catch((error: MailFailure) => error)

test('a mail reaches exactly its one recipient, whole, with the outbox id as its message id', async () => {
  const { mailer, received } = await start()
  await mailer.send(mail)
  expect(received).toHaveLength(1)
  expect(received[0]).toMatchObject({ from: 'no-reply@vestibule.example', to: [mail.to], user: 'portal' })
  expect(received[0]?.content).toContain(`Message-ID: <${mail.id}@vestibule.example>`)
  expect(received[0]?.content).toContain('From: =?UTF-8?Q?=C3=96stra_v=C3=A5rden=2C_IT?= <no-reply@vestibule.example>')
  expect(received[0]?.content).toContain('Content-Language: sv')
  expect(received[0]?.content).toContain('Auto-Submitted: auto-generated')
  expect(received[0]?.content).toContain('multipart/alternative')
  expect(received[0]?.content).toContain('Hej =C3=85sa')
})

test('the portal greets the mail server with its own host name, which servers look up', async () => {
  const greetings: string[] = []
  const { mailer } = await start({
    onMailFrom(_address, { hostNameAppearsAs }, callback) {
      greetings.push(hostNameAppearsAs)
      callback()
    },
  })
  await mailer.send(mail)
  expect(greetings).toEqual(['portal.vestibule.example'])
})

test('a sender that has a name keeps it', async () => {
  const { mailer, received } = await start({}, { from: 'Portalen <no-reply@vestibule.example>' })
  await mailer.send(mail)
  expect(received[0]?.content).toContain('From: Portalen <no-reply@vestibule.example>')
})

test("an organisation's sender has its name and an address for answers, and the portal's address", async () => {
  const { mailer, received } = await start()
  await mailer.send({ ...mail, sender: { name: 'Östra, IT', replyTo: 'desk@nordvik.example' } })
  await mailer.send({ ...mail, sender: { name: null, replyTo: null } })
  const [own = '', general = ''] = received.map(({ content }) => content)
  expect(own).toContain('From: =?UTF-8?Q?=C3=96stra=2C_IT?= <no-reply@vestibule.example>\r\n')
  expect(own).toContain('Reply-To: desk@nordvik.example\r\n')
  expect(general).toContain('From: =?UTF-8?Q?=C3=96stra_v=C3=A5rden=2C_IT?= <no-reply@vestibule.example>')
  expect(general).not.toContain('Reply-To')
  expect(received[0]?.from).toBe('no-reply@vestibule.example')
})

test.each([
  'Desk\r\nBcc: thief@evil.example',
  'Desk\nBcc: thief@evil.example',
  'Desk" <thief@evil.example>, "',
  'Desk <thief@evil.example>',
  'Desk\u2028Bcc: thief@evil.example',
])('a sender that is stored with %j adds no header and no recipient', async (hostile) => {
  const { mailer, received } = await start()
  await mailer.send({ ...mail, sender: { name: hostile, replyTo: 'desk@nordvik.example' } })
  await mailer.send({ ...mail, sender: { name: 'Desk', replyTo: hostile } }).catch(() => undefined)
  for (const { content, from, to } of received) {
    const [head = ''] = content.split('\r\n\r\n')
    expect(head).not.toMatch(/^bcc/im)
    expect(head.match(/^From:/gm)).toHaveLength(1)
    expect(head.replaceAll(/\r\n\s+/g, ' ')).toMatch(/^From: .*<no-reply@vestibule\.example>$/m)
    expect([from, to]).toEqual(['no-reply@vestibule.example', [mail.to]])
  }
})

test('the text comes first, in lines that need no scrolling, and the HTML last', async () => {
  const { mailer, received } = await start()
  await mailer.send({ ...mail, text: 'one two three four '.repeat(20) })
  const [, text = '', html = ''] = received[0]?.content.split(/\r\n--[^\r]*\r\n/) ?? []
  expect(text).toMatch(/^Content-Type: text\/plain; charset=utf-8; format=flowed\r\n/)
  expect(text).toMatch(/\r\n\r\none[a-z ]{60,72} \r\none /)
  expect(html).toMatch(/^Content-Type: text\/html; charset=utf-8\r\n/)
  expect(text + html).not.toContain('Content-Disposition')
})

test('connections are used again', async () => {
  let connections = 0
  const { mailer, received } = await start({
    onConnect: (_session, callback) => {
      connections++
      callback()
    },
  })
  for (let each = 0; each < 12; each++) await mailer.send(mail)
  expect(received).toHaveLength(12)
  expect(connections).toBe(1)
})

test.each([
  'user@nordvik.example, thief@evil.example',
  'user@nordvik.example\r\nBcc: thief@evil.example',
  '"user@nordvik.example" <thief@evil.example>',
  'thief@evil.example (user@nordvik.example)',
  '',
])('an address that holds more or less than one is not sent to anybody: %j', async (to) => {
  const { mailer, received } = await start()
  expect(await failureOf(mailer.send({ ...mail, to }))).toMatchObject({ retry: false })
  expect(received).toEqual([])
})

test('a subject cannot add a header', async () => {
  const { mailer, received } = await start()
  await mailer.send({ ...mail, subject: 'Hej\r\nBcc: thief@evil.example' })
  expect(received[0]?.to).toEqual([mail.to])
  expect(received[0]?.content).not.toMatch(/^Bcc:/im)
})

test('a domain beyond ASCII is sent in its ASCII form', async () => {
  let said = ''
  const { mailer, received } = await start({}, {}, (socket) => socket.on('data', (chunk) => (said += chunk)))
  await mailer.send({ ...mail, to: 'user@fjällrå.example' })
  expect(said).toContain('RCPT TO:<user@xn--fjllr-hrak.example>')
  // The message as the server parsed it.
  expect(received[0]?.to).toEqual(['user@fjällrå.example'])
})

test('sends nothing without TLS if TLS is required', async () => {
  const { mailer, received } = await start({}, { requireTls: true })
  expect(await failureOf(mailer.send(mail))).toMatchObject({ name: 'MailFailure', retry: true })
  expect(received).toEqual([])
})

test('an untrusted certificate is rejected, and the reason says what is wrong with it', async () => {
  const { privateKey: key, certificate: cert } = selfSigned({ name: 'localhost' })
  const { mailer, received } = await start({ disabledCommands: [], key, cert })
  expect(await failureOf(mailer.send(mail))).toMatchObject({
    retry: true,
    message: 'SMTP CONN DEPTH_ZERO_SELF_SIGNED_CERT',
  })
  expect(received).toEqual([])
})

test("a mail server with a certificate of the company's own CA is trusted once that CA is given", async () => {
  const { privateKey: key, certificate: cert } = selfSigned({ name: 'localhost' })
  const own = { ca: cert, requireTls: true, host: 'localhost' }
  const { mailer, received } = await start({ disabledCommands: [], key, cert }, own)
  await mailer.send(mail)
  expect(received).toHaveLength(1)
  const { privateKey, certificate } = selfSigned({ name: 'localhost' })
  const other = await start({ disabledCommands: [], key: privateKey, cert: certificate }, own)
  expect(await failureOf(other.mailer.send(mail))).toMatchObject({ retry: true })
  expect(other.received).toEqual([])
})

test('a recipient that the server refuses for good is not tried again, one that it refuses for now is', async () => {
  const refuse = (responseCode: number) => ({
    onRcptTo: (_address: unknown, _session: unknown, callback: (error: Error) => void) =>
      callback(Object.assign(new Error(`no ${mail.to} here`), { responseCode })),
  })
  const forGood = await start(refuse(550))
  expect(await failureOf(forGood.mailer.send(mail))).toMatchObject({
    ...{ retry: false, refusedAddress: true, message: 'SMTP RCPT TO 550' },
  })
  const forNow = await start(refuse(451))
  expect(await failureOf(forNow.mailer.send(mail))).toMatchObject({
    ...{ retry: true, refusedAddress: false, message: 'SMTP RCPT TO 451' },
  })
})

test.each([
  [451, true],
  [554, false],
])('a mail that the server refuses with %i once it has read it is tried again: %j', async (responseCode, retry) => {
  const { mailer } = await start({
    onData: (stream, _session, callback) => {
      stream.resume().on('end', () => callback(Object.assign(new Error('no'), { responseCode })))
    },
  })
  expect(await failureOf(mailer.send(mail))).toMatchObject({ retry, message: `SMTP DATA ${responseCode}` })
})

test('a server that hangs up in the middle of a mail gets it once for each try', async () => {
  let begun = 0
  const sockets: Socket[] = []
  const { mailer, received } = await start(
    {
      onData: (stream) => {
        begun++
        stream.once('data', () => sockets.at(-1)?.destroy()).resume()
      },
    },
    {},
    (socket) => sockets.push(socket),
  )
  const failure = await failureOf(mailer.send({ ...mail, text: 'a long mail '.repeat(20_000) }))
  expect(failure).toMatchObject({ retry: true, message: expect.stringMatching(/^SMTP CONN E/) })
  expect([begun, received]).toEqual([1, []])
})

test('a server that answers drop by drop, or not at all, is left when the try is over, and others are served', async () => {
  const sockets: Socket[] = []
  const dripping = Promise.withResolvers<void>()
  const { mailer, received } = await start(
    {
      onData: (stream, { envelope }, callback) => {
        const [to] = envelope.rcptTo
        stream.resume().on('end', () => {
          if (to?.address === mail.to) {
            // No time-out of a socket sees this one: something always comes.
            const drip = setInterval(
              () => sockets[0]?.writable && sockets[0].write('250-', () => dripping.resolve()),
              5,
            )
            sockets[0]?.on('close', () => clearInterval(drip))
            return
          }
          received.push({ from: '', to: [String(to?.address)], user: '', content: '' })
          callback()
        })
      },
    },
    {},
    (socket) => sockets.push(socket),
  )
  const end = new AbortController()
  const left = failureOf(mailer.send({ ...mail, signal: end.signal }))
  await dripping.promise
  end.abort()
  expect(await left).toMatchObject({ retry: true, message: 'SMTP ETIMEDOUT' })
  await mailer.send({ ...mail, to: 'other@nordvik.example' })
  expect(received.map(({ to }) => to)).toEqual([['other@nordvik.example']])
})

test('a server that is down, or does not know our password, is tried again, and the reason holds no secret', async () => {
  const { mailer } = await start({ onAuth: (_auth, _session, callback) => callback(new Error('bad p@ss/word')) })
  const refused = await failureOf(mailer.send(mail))
  expect(refused).toMatchObject({ retry: true })
  expect(String(refused)).not.toContain('p@ss')
  const nowhere = createSmtpMailer({
    url: secret('smtp://127.0.0.1:1'),
    from: 'a@vestibule.example',
    company: 'Vestibule',
    host: 'portal.vestibule.example',
    requireTls: false,
  })
  expect(await failureOf(nowhere.send(mail))).toMatchObject({
    retry: true,
    message: expect.stringContaining('SMTP CONN'),
  })
  await nowhere.close()
})

test('with a key every mail is signed for the domain of its sender, so that a changed one shows', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const { mailer, received } = await start({}, { dkim: { selector: 'portal', privateKey: secret(pem) } })
  await mailer.send(mail)
  const content = received[0]?.content ?? ''
  expect(dkimTags(content)).toMatchObject({ d: 'vestibule.example', s: 'portal', a: 'rsa-sha256' })
  expect(isDkimSigned(content, publicKey)).toBe(true)
  expect(isDkimSigned(content.replace('Auto-Submitted: auto-generated', 'Auto-Submitted: no'), publicKey)).toBe(true)
  expect(isDkimSigned(content.replace('To: user@', 'To: other@'), publicKey)).toBe(false)
  expect(isDkimSigned(`${content}more\r\n`, publicKey)).toBe(false)
})

/** The header fields of a mail, folded lines with their first. */
const headerFields = (content: string) =>
  content
    .slice(0, content.indexOf('\r\n\r\n'))
    .split(/\r\n(?![ \t])/)
    .map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 1)] as const)

const dkimTags = (content: string): Record<string, string> => {
  const value = headerFields(content).find(([name]) => name === 'dkim-signature')?.[1] ?? ''
  return Object.fromEntries(
    value
      .split(';')
      .map((tag) => [tag.slice(0, tag.indexOf('=')).trim(), tag.slice(tag.indexOf('=') + 1).replaceAll(/\s/g, '')]),
  )
}

/** RFC 6376 with the canonicalisation relaxed/relaxed, read from the standard and not from the library. */
function isDkimSigned(content: string, publicKey: KeyObject): boolean {
  const tags = dkimTags(content)
  const relaxed = (value: string) =>
    value
      .replaceAll(/\r\n/g, '')
      .replaceAll(/[ \t]+/g, ' ')
      .trim()
  const body = content
    .slice(content.indexOf('\r\n\r\n') + 4)
    .replaceAll(/[ \t]+(?=\r\n)/g, '')
    .replaceAll(/[ \t]+/g, ' ')
    .replace(/(\r\n)*$/, '\r\n')
  if (createHash('sha256').update(body, 'latin1').digest('base64') !== tags.bh) return false
  const fields = headerFields(content)
  const signed = (tags.h ?? '')
    .toLowerCase()
    .split(':')
    .flatMap((wanted) => {
      const field = fields.findLast(([name]) => name === wanted)
      return field ? [`${wanted}:${relaxed(field[1])}\r\n`] : []
    })
  const own = relaxed(fields.find(([name]) => name === 'dkim-signature')?.[1] ?? '').replace(/(\bb=)[^;]*/, '$1')
  const verifier = createVerify('sha256').update(`${signed.join('')}dkim-signature:${own}`, 'latin1')
  return verifier.verify(publicKey, tags.b ?? '', 'base64')
}
