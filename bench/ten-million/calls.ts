import { createBrowser, signIn } from '../browser.ts'
import { auditCalls } from '../scale/audit-calls.ts'
import { type ScaleCall, scaleCalls } from '../scale/calls.ts'
import { latency } from '../scale/latency.ts'
import { latencyRow, type Row } from './report.ts'

/** Of the lists that `bench:scale` measures, the usual ones, and those that grow most. */
const wanted = new Set([
  'everybody by lastName',
  'everybody, page 50',
  'everybody, search with one match',
  'everybody, three letters that match nothing',
  'everybody, a common name',
  'everybody, filtered: an organisation',
  'an organisation by lastName',
  'an organisation, a common name',
  'the largest organisation by lastName',
  'the largest organisation, a common name',
  'a service in an organisation',
  'organisations by name',
  'organisations, search with one match',
  'services',
  'events: no filter',
  'events: changes',
  'events: one actor',
  'events: an organisation',
  'events: text: one person',
])

/** Milliseconds of what a super user sees and searches, one request after the other. */
export async function measureCalls(portalUrl: string, ownerUrl: string): Promise<Row[]> {
  const browser = createBrowser(portalUrl)
  await signIn(browser, 'super@vestibule.example', 'Demo-password-1')
  const client = { url: portalUrl, cookie: browser.cookieHeader('/api') }
  const all = [...(await scaleCalls(ownerUrl)), ...(await auditCalls(ownerUrl))]
  // Its address has the id.
  const largest = all
    .find(({ name }) => name === 'the largest organisation by lastName')
    ?.path(0)
    .split('/')[3]
  const calls: ScaleCall[] = [
    { name: 'session: /api/me', path: () => '/api/me' },
    { name: 'launcher: /api/start', path: () => '/api/start' },
    { name: 'home of the portal', path: () => '/api/home' },
    { name: 'home of the largest organisation', path: () => `/api/organizations/${largest}/home` },
    ...all.filter(({ name }) => wanted.has(name)),
  ]
  const rows: Row[] = []
  for (const call of calls) {
    const asked = async (clients: number, requests: number) =>
      latency(call, { ...client, clients, requests }).catch((failure: unknown) => {
        console.log(String(failure))
        return { p50: Infinity, p95: Infinity, p99: Infinity }
      })
    await asked(4, 40)
    rows.push(latencyRow(call.name, await asked(1, 300)))
  }
  return rows
}
