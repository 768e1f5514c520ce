import { createHash, randomBytes } from 'node:crypto'
import { Agent, request } from 'undici'

export const scope = 'openid profile email'
export const redirectUri = 'https://bench.example/callback'
// The same in every process of a run.
export const verifier = createHash('sha256').update('bench').digest('base64url')
export const challenge = createHash('sha256').update(verifier).digest('base64url')

/** A provider as a service sees it. */
export interface ServiceSide {
  /** Of its endpoints: `${issuer}/token`. */
  issuer: string
  clientId: string
  secret: string
}

export const authorizationQuery = ({ clientId }: ServiceSide) =>
  new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope,
    state: randomBytes(8).toString('hex'),
    nonce: randomBytes(8).toString('hex'),
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })

const agent = new Agent({ connections: 64, pipelining: 1 })

/** Redeems a code. @returns the access token */
export async function redeem({ issuer, clientId, secret }: ServiceSide, code: string): Promise<string> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
  const { statusCode, body } = await request(`${issuer}/token`, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `${new URLSearchParams({ ...form, client_id: clientId, client_secret: secret })}`,
  })
  const answer = (await body.json()) as { access_token?: string; error?: string }
  if (statusCode !== 200 || !answer.access_token)
    throw new Error(`the exchange answered ${statusCode}: ${answer.error ?? ''}`)
  return answer.access_token
}

/** The code in the address that leads back to the service. */
export const codeIn = (address: string | undefined): string | undefined =>
  new URLSearchParams(address?.split('?')[1]).get('code') ?? undefined
