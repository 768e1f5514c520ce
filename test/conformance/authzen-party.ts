import { questionsOf } from '../questions.ts'
import type { TestApp } from '../test-app.ts'

export type AuthzenParty = Awaited<ReturnType<typeof authzenParty>>
type Headers = Record<string, string>
interface Asking {
  body?: unknown
  /** Instead of `body`. */
  text?: string
  headers?: Headers
}

/**
 * A service that asks, with the people and things of the official fixture: Alice may read and write the first record, Bob only
 * read it. Actions are roles of the service, records are organisations that have it.
 */
export async function authzenParty({ portal }: { portal: TestApp }) {
  const questions = questionsOf(portal)
  const { serviceId } = await portal.service()
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const roles: Record<string, string> = {}
  for (const key of ['read', 'write', 'delete'])
    roles[key] = (await root.post('/api/service-roles', { serviceId, key, nameSv: key })).json().roleId
  const record = async () => {
    const { organizationId } = await portal.organization()
    await portal.offer(organizationId, serviceId)
    return { type: 'service', id: organizationId }
  }
  const records = [await record(), await record()] as const
  const person = async (...keys: string[]) => {
    const { accountId } = await portal.person()
    const [{ id }] = records
    await portal.join(accountId, id)
    await portal.assign(accountId, id, serviceId)
    const call = `/api/users/${accountId}/organization/${id}/service/${serviceId}/roles`
    await root.post(call, { roleIds: keys.map((key) => roles[key]) })
    return { type: 'user', id: accountId }
  }
  const [alice, bob] = [await person('read', 'write'), await person('read')]
  const token = await questions.tokenOf(serviceId)
  const ask = async (path: string, { body, text, headers = {} }: Asking) => {
    const own = { authorization: `Bearer ${token}`, ...headers }
    const response = await questions.send(path, text ?? JSON.stringify(body), own)
    const isJson = response.headers['content-type']?.startsWith('application/json')
    return { status: response.statusCode, headers: response.headers, body: isJson ? response.json() : undefined }
  }
  const method = async (name: 'GET' | 'PUT', path: string) =>
    portal.app.inject({
      method: name,
      url: `/access/v1/${path}`,
      headers: { host: 'portal.test', 'sec-fetch-site': 'same-origin', authorization: `Bearer ${token}` },
    })
  return {
    alice,
    bob,
    records,
    ask,
    method,
    /** What the fixture permits. */
    permitted: { subject: alice, action: { name: 'read' }, resource: records[0] },
    denied: { subject: bob, action: { name: 'write' }, resource: records[0] },
    evaluate: (body: unknown) => ask('evaluation', { body }),
    evaluateAll: (body: unknown) => ask('evaluations', { body }),
  }
}
