import { afterEach, expect, test, vi } from 'vitest'
import { ApiProblem } from './api-problem.ts'
import { request } from './request.ts'

const answering = (answer: () => Response | Promise<Response>) => vi.stubGlobal('fetch', async () => answer())
const failure = () => request('POST', '/api/x', { input: {} }).catch((error: unknown) => error)

afterEach(() => vi.unstubAllGlobals())

test('a refusal brings its issues, its request id and the seconds to wait', async () => {
  const body = { message: 'validationFailed', issues: [{ path: 'email', message: 'required' }], requestId: 'r' }
  answering(() => Response.json(body, { status: 422, headers: { 'retry-after': '7' } }))
  expect(await failure()).toMatchObject({ status: 422, retryAfter: 7, ...body })
})

test('an answer in another shape is the generic message, with the request id of its header', async () => {
  const headers = { 'x-request-id': 'r' }
  for (const body of ['<h1>Bad gateway</h1>', 'null', '7', '{"message": 7, "issues": "x", "requestId": 1}']) {
    answering(() => new Response(body, { status: 502, headers }))
    expect(await failure()).toMatchObject({ status: 502, message: 'genericErrorMessage', issues: [], requestId: 'r' })
  }
  answering(() => Response.json({ message: 'tooLarge', issues: [null, 7, { path: 'x' }] }, { status: 413 }))
  expect(await failure()).toMatchObject({ message: 'tooLarge', issues: [] })
})

test('no answer has status 0, and a request that the caller aborted is no failure of the API', async () => {
  answering(() => Promise.reject(new TypeError('Failed to fetch')))
  expect(await failure()).toMatchObject({ status: 0, message: 'networkError' })
  answering(() => Promise.reject(new DOMException('', 'AbortError')))
  expect(await failure()).not.toBeInstanceOf(ApiProblem)
})
