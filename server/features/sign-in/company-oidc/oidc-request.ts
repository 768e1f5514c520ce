import type { AskedSignIn } from '#server/company-oidc/company-provider.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { seal, unseal } from '#server/platform/secrets/sealing.ts'
import {
  type CompanyRequest,
  findRequest,
  type KnownRequest,
  rememberRequest,
} from '../company/company-request.repository.ts'

const purpose = 'companyOidcRequest'

type Proof = Omit<AskedSignIn, 'state'>
const cell = (nonce: string) => ({ table: 'one_time_things', column: 'data', row: nonce })

/** Remembers a request for ten minutes; its verifier is sealed. @returns its state */
export const rememberOidcRequest = (
  { db, keys, now }: { db: Db; keys: Keys; now: Date },
  { nonce, codeVerifier }: Proof,
  request: CompanyRequest,
): Promise<string> => {
  const verifier = seal(keys, 'codes', cell(nonce), codeVerifier).toString('base64')
  return rememberRequest(db, now, { ...request, requestId: nonce, verifier }, purpose)
}

/** Finds a request, open or over. */
export const findOidcRequest = (db: Db, now: Date, state: string): Promise<KnownRequest | undefined> =>
  findRequest(db, now, state, purpose)

/** What the answer to a request is checked against. */
export async function askedOf(keys: Keys, { token, requestId, verifier = '' }: KnownRequest): Promise<AskedSignIn> {
  const codeVerifier = (await unseal(keys, cell(requestId), Buffer.from(verifier, 'base64'))).toString('utf8')
  return { state: token, nonce: requestId, codeVerifier }
}
