import type { AnswerOf, InputOf, ParamsOf, QueryOf, Route } from '#contract/route.ts'
import { type ApiProblem, brokenCall, readProblem } from './api-problem.ts'
import { takeEarlyAnswer } from './early-answers.ts'
import { createIntents } from './intents.ts'
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

/** Asks, and checks the answer against the declaration; a mismatch is an ApiProblem with the generic message. */
export async function call<R extends AnyRoute>(route: R, ...[request]: RequestArguments<R>): Promise<AnswerOf<R>> {
  const response = await exchange(route, request as LooseRequest | undefined)
  if (route.answer === 'nothing' || route.answer === 'redirect') return undefined as AnswerOf<R>
  if (route.answer === 'html') return (await response.text()) as AnswerOf<R>
  const answer = route.answer.safeParse(await response.json().catch(() => undefined))
  if (!answer.success) throw brokenCall(response.status, response.headers.get('x-request-id'))
  return answer.data as AnswerOf<R>
}

/** Sends a change. What comes back is not read: the lists are asked again instead. */
export async function send<R extends AnyRoute>(route: R, ...[request]: RequestArguments<R>): Promise<void> {
  await exchange(route, request as LooseRequest | undefined)
}

const intents = createIntents(Date.now)

async function exchange(route: AnyRoute, request: LooseRequest = {}): Promise<Response> {
  const url = address(route.url, request)
  const early = route.method === 'GET' ? await takeEarlyAnswer(url) : undefined
  if (early) return early
  const body = request.input === undefined ? undefined : JSON.stringify(request.input)
  const change = route.method === 'GET' ? undefined : `${route.method} ${url} ${body ?? ''}`
  const key = change && intents.keyOf(change)
  const response = await fetch(url, {
    method: route.method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body }),
    ...(request.signal ? { signal: request.signal } : {}),
  }).catch((error: unknown) => {
    // Somebody moved on and took the question back: that is not a failure to show.
    throw error instanceof DOMException && error.name === 'AbortError' ? error : brokenCall()
  })
  const failure = response.ok ? undefined : await readProblem(response)
  if (change && key && !isOpen(failure)) intents.settle(change, key)
  if (!failure) return response
  // Wrong credentials are 401 too, but the session is fine then.
  if (failure.status === 401 && failure.message === 'signInRequired') return leaveForSignIn()
  throw failure
}

/** It may have been done all the same: something on the way broke, or another try is still under way. */
const isOpen = (failure: ApiProblem | undefined) =>
  failure !== undefined && (failure.status >= 500 || failure.message === 'requestInProgress')

/** The address of a call: parameters in its path, query parameters only when they are set. */
function address(url: string, { params = {}, query = {} }: LooseRequest): string {
  const path = url.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value))
  return search.size > 0 ? `${path}?${search}` : path
}
