import type { APIRequestContext } from '@playwright/test'
import { expect } from './fixtures.ts'

interface Sent {
  kind: 'mail' | 'sms'
  to: string
  text: string
}

/** Waits for a message to this recipient that matches, and returns the match in the newest one. */
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

/** The newest code sent to an address or a number, other than the given one. */
export const codeTo = (request: APIRequestContext, to: string, unlike?: string) =>
  sentTo(request, to, /\b[0-9]{6}\b/, unlike)

/** The path of the newest reset link, other than the given one. */
export const resetLinkTo = (request: APIRequestContext, to: string, unlike?: string) =>
  sentTo(request, to, /\/reset-password\/[\w-]{43}/, unlike)

/** Waits for an invitation and returns its text. */
export const invitationTo = (request: APIRequestContext, to: string) =>
  sentTo(request, to, /^[\s\S]*\/accept-invitation\/[\s\S]*$/)

/** The texts of all messages to this recipient, newest first. */
export async function mailsTo(request: APIRequestContext, to: string): Promise<string[]> {
  const answer = await request.get('/dev/outbox', { headers: { accept: 'application/json' } })
  const sent: Sent[] = await answer.json()
  return sent.filter((message) => message.to === to).map(({ text }) => text)
}
