import type { AnswerOf, InputOf, ParamsOf, QueryOf, Route } from '#contract/route.ts'
import { ApiProblem, brokenCall } from './api-problem.ts'
import { confirmIdentity, type ProofFor } from './confirm-identity.ts'
import { createIdempotencyKeys } from './idempotency-keys.ts'
import { request as sendRequest } from './request.ts'
import { leaveForSignIn } from './sign-in-redirect.ts'

// biome-ignore lint/suspicious/noExplicitAny: variance: any declared call, each keeps its own types.
export type AnyRoute = Route<any, any, any, any, any>

type Given<Name extends string, Value> = [Value] extends [undefined] ? { [N in Name]?: never } : { [N in Name]: Value }
type QueryTexts<R> =
  QueryOf<R> extends undefined ? undefined : { [Name in keyof QueryOf<R>]?: string | number | undefined }

/** What a call needs besides its declaration. */
export type RequestOf<R> = Given<'params', ParamsOf<R>> &
  Given<'input', InputOf<R>> &
  ([QueryTexts<R>] extends [undefined] ? { query?: never } : { query?: QueryTexts<R> }) & { signal?: AbortSignal }
export type RequestArguments<R> =
  Record<string, never> extends RequestOf<R> ? [request?: RequestOf<R>] : [request: RequestOf<R>]

interface LooseRequest {
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
  input?: unknown
  signal?: AbortSignal
}

/** Makes a call and checks the answer against the declaration; a mismatch is an ApiProblem with the generic message. */
export async function call<R extends AnyRoute>(route: R, ...[request]: RequestArguments<R>): Promise<AnswerOf<R>> {
  const response = await exchange(route, request as LooseRequest | undefined)
  if (route.answer === 'nothing' || route.answer === 'redirect') return undefined as AnswerOf<R>
  if (typeof route.answer === 'string') return (await response.text()) as AnswerOf<R>
  const answer = route.answer.safeParse(await response.json().catch(() => undefined))
  if (!answer.success) throw brokenCall(response.status, response.headers.get('x-request-id'))
  return answer.data as AnswerOf<R>
}

/** Sends a change. The answer is not read: the lists are fetched again instead. */
export async function send<R extends AnyRoute>(route: R, ...[request]: RequestArguments<R>): Promise<void> {
  await exchange(route, request as LooseRequest | undefined)
}

const idempotencyKeys = createIdempotencyKeys(Date.now)

/** What a refused call asks the person to prove. */
const askedFor: Record<string, ProofFor> = {
  freshProofRequired: undefined,
  codeRequired: 'factor',
  moreThanMailRequired: 'passkey',
}

async function exchange(route: AnyRoute, request: LooseRequest = {}): Promise<Response> {
  const { input, signal, ...target } = request
  const url = address(route.url, target)
  const change = route.method === 'GET' ? undefined : `${route.method} ${url} ${JSON.stringify(input) ?? ''}`
  const key = change && idempotencyKeys.keyOf(change)
  const settle = () => change && key && idempotencyKeys.settle(change, key)
  const headers = { accept: 'application/json', ...(key && { 'idempotency-key': key }) }
  try {
    const response = await sendRequest(route.method, url, { input, headers, signal })
    settle()
    return response
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    if (!mayHaveHappened(error)) settle()
    // Wrong credentials are 401 too, but the session is fine then.
    if (error.status === 401 && error.message === 'signInRequired') return leaveForSignIn()
    // The page stays as it is: with the proof, the same call is made again.
    const isAsked = error.message in askedFor
    if (isAsked && (await confirmIdentity(askedFor[error.message]))) return exchange(route, request)
    throw error.status === 0 ? brokenCall() : error
  }
}

/** The server may have done it all the same: no answer came, or another attempt is still under way. */
const mayHaveHappened = ({ status, message }: ApiProblem) =>
  status === 0 || status >= 500 || message === 'requestInProgress'

/** The address of a call: parameters in its path, query parameters only when they are set. */
function address(url: string, { params = {}, query = {} }: LooseRequest): string {
  const path = url.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value))
  return search.size > 0 ? `${path}?${search}` : path
}
