import { clientErrors } from '#contract/client-errors/client-errors.ts'
import { ApiProblem } from './api-problem.ts'
import { request } from './request.ts'

let reported: Promise<string | undefined> | undefined

/** Reports a crash to the server, once per page; returns the id under which support finds it in the log. */
export function reportCrash(error: unknown, componentStack: string | null | undefined): Promise<string | undefined> {
  reported ??= post({
    url: location.href,
    error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    stack: error instanceof Error ? error.stack : undefined,
    componentStack,
  })
  return reported
}

async function post(crash: Record<string, string | null | undefined>): Promise<string | undefined> {
  // Cut to what the contract takes, in characters that it can store.
  const limits: Record<string, number> = { url: 2000, error: 2000 }
  const fields = Object.entries(crash).filter(([, value]) => value)
  const body = fields.map(([name, value]) => [
    name,
    value
      ?.slice(0, limits[name] ?? 5000)
      .toWellFormed()
      .replaceAll('\0', ''),
  ])
  try {
    const input = Object.fromEntries(body)
    const response = await request('POST', clientErrors.report.url, { input, keepalive: true })
    return response.headers.get('x-request-id') ?? undefined
  } catch (failure) {
    console.warn(failure)
    return failure instanceof ApiProblem ? failure.requestId : undefined
  }
}
