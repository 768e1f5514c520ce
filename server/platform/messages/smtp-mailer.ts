import { domainToASCII } from 'node:url'
import { createTransport } from 'nodemailer'
import type { Secret } from '../secret.ts'
import { formatFlowed } from './flowed-text.ts'
import { MailFailure, type MailServer, type MailToSend } from './mailer.ts'

interface SmtpOptions {
  /** `smtp://user:password@host:587` (STARTTLS) or `smtps://…:465`. */
  url: Secret
  /** `name@host` or `Name <name@host>`. */
  from: string
  /** The sender's name where `from` has none. */
  company: string
  /** The host name of this portal, which greets the mail server: without one nodemailer says [127.0.0.1] on many machines. */
  host: string
  /** Refuses servers without TLS; on in production. */
  requireTls: boolean
  /** PEM; trusted instead of the public CAs. */
  ca?: string | undefined
  /** Signs every mail (RFC 6376) for the sender's domain; the key is PEM. */
  dkim?: { selector: string; privateKey: Secret } | undefined
}

/** Sends mail through an SMTP server, with a small connection pool. */
export function createSmtpMailer({ url, from, company, host, requireTls, ca, dkim }: SmtpOptions): MailServer {
  const { protocol, hostname, port, username, password } = new URL(url.reveal())
  const secure = protocol === 'smtps:'
  const sender = parseSender(from, company)
  const transport = createTransport({
    pool: true,
    name: host,
    maxConnections: 5,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: requireTls && !secure,
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    tls: { minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) },
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    // Servers scan a mail before they respond; a shorter time-out would send duplicates (RFC 5321, 4.5.3.2.6).
    socketTimeout: 60_000,
    ...(dkim
      ? {
          dkim: {
            domainName: domainToASCII(sender.address.slice(sender.address.lastIndexOf('@') + 1)),
            keySelector: dkim.selector,
            privateKey: dkim.privateKey.reveal(),
          },
        }
      : {}),
    // Mail content is never loaded from files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // Final check before the connection: the SMTP envelope contains exactly our recipient, regardless of the headers.
  transport.use('stream', (mail, callback) => {
    const envelope = mail.message.getEnvelope()
    const { to } = mail.data
    const [only, ...others] = envelope.to
    const exact =
      others.length === 0 && isAddress(to) && only === toAsciiDomain(to.address) && envelope.from === sender.address
    callback(exact ? null : new MailFailure('the envelope does not contain exactly one recipient', { retry: false }))
  })

  return {
    async send({ id, to, subject, language, text, html, sender: own, signal }: MailToSend) {
      try {
        await transport.sendMail({
          envelope: { from: sender.address, to: [to] },
          from: { ...sender, name: oneLine(own?.name || sender.name) },
          // Objects, never text: nodemailer would read a list of addresses in text.
          ...(own?.replyTo ? { replyTo: { name: '', address: oneLine(own.replyTo) } } : {}),
          to: { name: '', address: to },
          subject: oneLine(subject),
          // Replaces `text` and `html`, which do not support format=flowed.
          alternatives: [
            { contentType: 'text/plain; charset=utf-8; format=flowed', content: formatFlowed(text) },
            { contentType: 'text/html; charset=utf-8', content: html },
          ],
          ...(signal ? { signal } : {}),
          messageId: `<${id}@${sender.address.split('@')[1]}>`,
          headers: {
            'Content-Language': language,
            // Suppresses out-of-office replies (RFC 3834; the second header is for Exchange).
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'OOF, AutoReply',
          },
        })
      } catch (error) {
        throw asFailure(error)
      }
    },
    answers: () =>
      transport.verify().then(
        () => true,
        () => false,
      ),
    close: async () => transport.close(),
  }
}

/** A second check: what is stored has no line breaks, which would end a header. */
const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')

const isAddress = (to: unknown): to is { address: string } => typeof to === 'object' && to !== null && 'address' in to

/** Converts an internationalised domain to its ASCII form. */
function toAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1)) || address.slice(at + 1)}`
}

function parseSender(from: string, company: string): { name: string; address: string } {
  const [, name = '', address = from] = /^([^<>]*)<([^<>]+)>$/.exec(from) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1') || company, address: address.trim() }
}

interface SmtpError {
  code?: string
  /** Of the socket, such as SELF_SIGNED_CERT_IN_CHAIN, where `code` is only ESOCKET. */
  originalCode?: string
  command?: string
  responseCode?: number
  /** What the server said, with its code. */
  response?: string
  message?: string
}

/** A permanent rejection of recipient or content is not retried; everything else is. */
function asFailure(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error
  const { code, originalCode, command = '', responseCode = 0, response, message } = error as SmtpError
  const refused = responseCode >= 500 && /^(RCPT TO|DATA|MAIL FROM)/.test(command)
  // Report an aborted attempt as a time-out.
  const what = code === 'EABORT' ? 'ETIMEDOUT' : (originalCode ?? code)
  // Only the response code: the text may quote the address or the mail.
  return new MailFailure(['SMTP', command, responseCode || what || 'failed'].filter(Boolean).join(' '), {
    retry: !refused,
    refusedAddress: responseCode >= 500 && command.startsWith('RCPT TO'),
    // 421: the server is closing down (RFC 5321, 3.8).
    unreachable: !/^(RCPT TO|DATA|MAIL FROM)/.test(command) || responseCode === 421,
    answer: response ?? message,
  })
}
