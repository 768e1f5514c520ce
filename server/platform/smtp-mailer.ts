import { domainToASCII } from 'node:url'
import { createTransport } from 'nodemailer'
import { flowedText } from './flowed-text.ts'
import { type Mailer, MailFailure, type MailToSend } from './mailer.ts'
import type { Secret } from './secret.ts'

interface SmtpOptions {
  /** `smtp://user:password@host:587` (STARTTLS) or `smtps://…:465`. */
  url: Secret
  /** `name@host` or `Name <name@host>`. */
  from: string
  /** Shown as the sender where `from` has no name. */
  company: string
  /** Refuse to speak to a server that offers no TLS; on in production. */
  requireTls: boolean
  /** Signs every mail (RFC 6376) for the sender's domain; the key is PEM. */
  dkim?: { selector: string; privateKey: Secret } | undefined
}

/** Sends mail through an SMTP server, over a few connections that stay open. */
export function createSmtpMailer({ url, from, company, requireTls, dkim }: SmtpOptions): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url.reveal())
  const secure = protocol === 'smtps:'
  const sender = parseSender(from, company)
  const transport = createTransport({
    pool: true,
    maxConnections: 5,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: requireTls && !secure,
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    tls: { minVersion: 'TLSv1.2' },
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    // Filters read a mail before its server answers; who goes too soon sends it a second time (RFC 5321, 4.5.3.2.6).
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
    // Nothing in a mail may be read from a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // The last look before the connection: what the server will be told, however the headers were read.
  transport.use('stream', (mail, callback) => {
    const envelope = mail.message.getEnvelope()
    const { to } = mail.data
    const [only, ...others] = envelope.to
    const exact =
      others.length === 0 && isAddress(to) && only === asSent(to.address) && envelope.from === sender.address
    callback(exact ? null : new MailFailure('the envelope does not hold exactly the one address', { retry: false }))
  })

  return {
    async send({ id, to, subject, language, text, html, signal }: MailToSend) {
      try {
        await transport.sendMail({
          envelope: { from: sender.address, to: [to] },
          from: sender,
          to: { name: '', address: to },
          subject,
          // By hand what `text` and `html` would do: a text of its own kind.
          alternatives: [
            { contentType: 'text/plain; charset=utf-8; format=flowed', content: flowedText(text) },
            { contentType: 'text/html; charset=utf-8', content: html },
          ],
          ...(signal ? { signal } : {}),
          messageId: `<${id}@${sender.address.split('@')[1]}>`,
          headers: {
            'Content-Language': language,
            // Out-of-office replies to a login code help nobody (RFC 3834; the second is Exchange's).
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'OOF, AutoReply',
          },
        })
      } catch (error) {
        throw asFailure(error)
      }
    },
    close: async () => transport.close(),
  }
}

const isAddress = (to: unknown): to is { address: string } => typeof to === 'object' && to !== null && 'address' in to

/** A domain with letters beyond ASCII travels in its ASCII form. */
function asSent(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1)) || address.slice(at + 1)}`
}

function parseSender(from: string, company: string): { name: string; address: string } {
  const [, name = '', address = from] = /^([^<>]*)<([^<>]+)>$/.exec(from) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1') || company, address: address.trim() }
}

/** What the server said of the recipient or the mail itself for good; everything else may be better in a while. */
function asFailure(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error
  const { code, command = '', responseCode = 0 } = error as { code?: string; command?: string; responseCode?: number }
  const refused = responseCode >= 500 && /^(RCPT TO|DATA|MAIL FROM)/.test(command)
  // A try that was ended, in the word of the one that ends by itself.
  const what = code === 'EABORT' ? 'ETIMEDOUT' : code
  // The server's own words may quote the address or a part of the mail; its number says enough.
  return new MailFailure(['SMTP', command, responseCode || what || 'failed'].filter(Boolean).join(' '), {
    retry: !refused,
  })
}
