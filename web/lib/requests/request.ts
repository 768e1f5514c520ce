import { ApiProblem, readProblem } from './api-problem.ts'

export interface RequestOptions {
  /** Sent as JSON. */
  input?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  keepalive?: boolean
}

/**
 * Sends a request to the API: the one place of both entries that does.
 *
 * @throws ApiProblem with what the server refused it for; with status 0 and `networkError` where no answer came
 */
export async function request(method: string, url: string, options: RequestOptions = {}): Promise<Response> {
  const { input, headers = {}, signal = null, keepalive = false } = options
  const json = input === undefined ? undefined : { 'content-type': 'application/json' }
  const body = input === undefined ? null : JSON.stringify(input)
  const response = await fetch(url, { method, headers: { ...headers, ...json }, body, signal, keepalive }).catch(
    (error: unknown) => {
      // The caller no longer wants the answer: that is not a failure to show.
      throw error instanceof DOMException && error.name === 'AbortError' ? error : new ApiProblem(0, 'networkError')
    },
  )
  if (!response.ok) throw await readProblem(response)
  return response
}
