import { clientErrors } from '#contract/client-errors.ts'

let reported: Promise<string | undefined> | undefined

/** Tells the server of a crash, once per page; answers the id under which support finds it in the log. */
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
    const response = await fetch(clientErrors.report.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(body)),
      keepalive: true,
    })
    return response.headers.get('x-request-id') ?? undefined
  } catch (failure) {
    console.warn(failure)
    return undefined
  }
}
