import type { Db } from '#server/platform/database/database.ts'
import { issueToken, peekToken } from '#server/platform/secrets/one-time-tokens.ts'
import { createRedirectUrl, type Message } from './redirect-binding.ts'
import { signXml } from './signed-message.ts'

const purpose = 'samlMessage'
const lifetime = 10 * 60_000

interface Sent extends Message {
  db: Db
  now: Date
  baseUrl: string
  /** Of the configuration. */
  id: number
  /** By a form (HTTP-POST), not by a redirect. */
  byPost: boolean
}

/** A message that waits for the page that posts it. */
export interface PostedMessage {
  destination: string
  name: Message['name']
  /** Base64. */
  value: string
  relayState: string
}

/** @returns the address that takes a message to the identity provider: its own, or that of our page which posts it */
export async function sendMessage({ db, now, baseUrl, id, byPost, ...message }: Sent): Promise<string> {
  if (!byPost) return createRedirectUrl(message)
  const { destination, name, key, relayState = '' } = message
  const xml = key ? await signXml(message.xml, key, 'afterIssuer') : message.xml
  const ticket = await issueToken(db, {
    purpose,
    subject: String(id),
    now,
    expiresAt: new Date(now.getTime() + lifetime),
    data: { destination, name, value: Buffer.from(xml).toString('base64'), relayState },
  })
  return `${baseUrl}/saml/${id}/send?${new URLSearchParams({ ticket })}`
}

/** The message of a ticket, as often as the page is loaded. */
export async function findMessage(db: Db, now: Date, id: string, token: string): Promise<PostedMessage | undefined> {
  const found = await peekToken(db, { purpose, token, now, subject: id })
  return found && (found.data as unknown as PostedMessage)
}
