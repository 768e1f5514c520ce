import type { APIRequestContext } from '@playwright/test'
import { expect } from './fixtures.ts'

interface Sent {
  kind: 'mail' | 'sms'
  to: string
  text: string
}

/** What the newest message to somebody holds, as soon as there is one that holds it. */
async function sentTo(request: APIRequestContext, to: string, wanted: RegExp, unlike = ''): Promise<string> {
  let found = ''
  await expect(async () => {
    const answer = await request.get('/dev/outbox', { headers: { accept: 'application/json' } })
    const sent: Sent[] = await answer.json()
    found = wanted.exec(sent.find((message) => message.to === to)?.text ?? '')?.[0] ?? ''
    expect(found).not.toBe('')
    expect(found).not.toBe(unlike)
  }).toPass({ intervals: [100], timeout: 10_000 })
  return found
}

/** The code that was sent last to an address or a number; another one than the given. */
export const codeTo = (request: APIRequestContext, to: string, unlike?: string) =>
  sentTo(request, to, /\b[0-9]{6}\b/, unlike)

/** The path of the reset link that was mailed last; another one than the given. */
export const resetLinkTo = (request: APIRequestContext, to: string, unlike?: string) =>
  sentTo(request, to, /\/reset-password\/[\w-]{43}/, unlike)

/** The text of an invitation, as soon as it has left. */
export const invitationTo = (request: APIRequestContext, to: string) =>
  sentTo(request, to, /^[\s\S]*\/accept-invitation\/[\s\S]*$/)

/** The texts of everything that has left for somebody so far, the newest first. */
export async function mailsTo(request: APIRequestContext, to: string): Promise<string[]> {
  const answer = await request.get('/dev/outbox', { headers: { accept: 'application/json' } })
  const sent: Sent[] = await answer.json()
  return sent.filter((message) => message.to === to).map(({ text }) => text)
}
