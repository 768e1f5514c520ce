import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import type { SamlFailure } from '#contract/saml-configs/saml-sign-ins.ts'
import { OutgoingFailure } from '#server/platform/outgoing/outgoing-failure.ts'
import { Refusal } from '#server/saml/refusal.ts'

/** What the library found wrong, as a refusal with our own words. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof AuthorizationResponseError)
    return new Refusal(`the provider answered ${codeOf(error)}`, { key: 'samlDeclined', failure: 'declined' })
  if (error instanceof WWWAuthenticateChallengeError)
    return new Refusal('the provider refused the client or its secret', { failure: 'clientRefused' })
  if (error instanceof ResponseBodyError) {
    const failure = /^(invalid|unauthorized)_client$/.test(error.error) ? 'clientRefused' : 'malformed'
    return new Refusal(`the provider answered the code with ${codeOf(error)}`, { failure })
  }
  const outgoing = [error, (error as Error).cause].find((one) => one instanceof OutgoingFailure)
  if (outgoing)
    return new Refusal(`the provider could not be called: ${outgoing.reason}`, { failure: 'unreachable', cause: error })
  // What is no address in the provider's document is a TypeError.
  if (!(error instanceof ClientError) && !(error instanceof TypeError)) throw error
  const failure = error instanceof ClientError ? failureOf(error) : 'malformed'
  return new Refusal(reasons[failure] ?? 'the answer of the provider cannot be used', { failure, cause: error })
}

const reasons: Partial<Record<SamlFailure, string>> = {
  issuer: 'the answer or its token is of another issuer',
  audience: 'the token is for another client',
  otherRequest: 'the answer or its token is for another request',
  clock: 'the token is over, or not valid yet',
  signature: 'the signature of the token is not by a key of the provider',
  unreachable: 'the provider did not answer in time',
}

const ofClaims: Record<string, SamlFailure> = {
  iss: 'issuer',
  aud: 'audience',
  azp: 'audience',
  nonce: 'otherRequest',
}

function failureOf({ code, cause }: ClientError): SamlFailure {
  const { cause: details, message: inner = '' } = (cause ?? {}) as { cause?: { claim?: string }; message?: string }
  switch (code) {
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
      return ofClaims[details?.claim ?? ''] ?? 'malformed'
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return 'clock'
    case 'OAUTH_KEY_SELECTION_FAILED':
      return 'signature'
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
      return 'issuer'
    case 'OAUTH_TIMEOUT':
    case 'OAUTH_ABORT':
      return 'unreachable'
    default:
      // The library tells these apart by their texts alone.
      return /signature|"alg"/.test(inner)
        ? 'signature'
        : /\(issuer\)/.test(inner)
          ? 'issuer'
          : /"state"|nonce/.test(inner)
            ? 'otherRequest'
            : 'malformed'
  }
}

/** An error code of OAuth; anything else is a text of the provider, which is not ours to log. */
const codeOf = ({ error }: { error: string }) => (/^[a-z_]{1,50}$/.test(error) ? error : 'an error')
