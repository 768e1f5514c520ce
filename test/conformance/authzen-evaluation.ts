import { expect } from 'vitest'
import type { AuthzenParty } from './authzen-party.ts'
import { transport } from './authzen-transport.ts'
import { type Module, modulesOf } from './module.ts'

/** What a module demands, without its name. */
export type Unnamed = Omit<Module<AuthzenParty>, 'name'>
/** The modules of a plan, whose names begin alike. */
export const named = (prefix: string, modules: Record<string, Unnamed>) =>
  modulesOf(Object.fromEntries(Object.entries(modules).map(([name, module]) => [`${prefix}-${name}`, module])))

/** Why a module does not apply. */
export const notByProperties =
  'part of the variant "properties": what the caller says of people and things gives nobody a right'
export const archived = { properties: { status: 'archived' } }
export const asAdmin = { properties: { role: 'admin' } }
const soft = { properties: { soft: true } }

/** The decision of the fixture with these changes of the request. */
const decides = (
  decision: boolean,
  demands: string,
  request: (party: AuthzenParty) => Record<string, unknown>,
): Unnamed => ({
  demands,
  async check(party) {
    const { status, headers, body } = await party.evaluate(request(party))
    expect([status, headers['content-type'], body]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
      { decision },
    ])
  },
})
/** What the caller claims changes nothing, which the check shows. */
const ignoresProperties = (demands: string, request: (party: AuthzenParty) => Record<string, unknown>): Unnamed => ({
  demands,
  notApplicable: notByProperties,
  async check(party) {
    const { subject, action, resource } = request(party) as Record<string, { properties?: unknown }>
    const without = (one: object | undefined) => ({ ...one, properties: undefined })
    const plain = { subject: without(subject), action: without(action), resource: without(resource) }
    const [withThem, withoutThem] = [await party.evaluate({ subject, action, resource }), await party.evaluate(plain)]
    expect([withThem.status, withThem.body]).toEqual([200, withoutThem.body])
  },
})
const wrong = (what: string, change: (party: AuthzenParty) => Record<string, unknown>): Unnamed => ({
  demands: `400 where ${what}`,
  async check(party) {
    expect((await party.evaluate({ ...party.permitted, ...change(party) })).status).toBe(400)
  },
})
const credentials = (authorization: string): Unnamed => ({
  demands: authorization ? '401 for a token that is none' : '401 without a token',
  async check({ ask, permitted }) {
    const { status, headers } = await ask('evaluation', { body: permitted, headers: { authorization } })
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
  },
})
const unknownIn = (part: 'subject' | 'action' | 'resource') =>
  decides(true, `the same answer with unknown fields in \`${part}\``, ({ permitted }) => ({
    ...permitted,
    [part]: { ...permitted[part], customAttr: 'x' },
  }))

/** The alpha plan for single decisions. */
export const evaluation = named('authzen-pdp-evaluation', {
  'fixture-request-permit-decision': decides(true, 'yes to what somebody may', ({ permitted }) => permitted),
  'fixture-request-deny-decision': decides(false, 'no to what somebody may not', ({ denied }) => denied),
  'request-with-optional-context': decides(true, 'the same answer with a context', ({ permitted }) => ({
    ...permitted,
    context: { time: '2025-06-27T18:03-07:00', ip: '192.168.1.1' },
  })),
  'request-with-additional-properties': decides(true, 'the same answer with further properties', (party) => ({
    subject: { ...party.alice, properties: { department: 'Sales' } },
    action: { name: 'read', properties: { method: 'GET' } },
    resource: { ...party.records[0], properties: { owner: 'bob' } },
  })),
  'fixture-request-deny-based-on-properties': ignoresProperties('no, because of what the record is', (party) => ({
    ...{ subject: party.alice, action: { name: 'write' } },
    resource: { ...party.records[1], ...archived },
  })),
  'fixture-request-permit-based-on-subject-properties': ignoresProperties('yes, because of who it is', (party) => ({
    ...{ subject: { ...party.bob, ...asAdmin }, action: { name: 'write' } },
    resource: { ...party.records[1], ...archived },
  })),
  'fixture-request-permit-based-on-action-properties': ignoresProperties('yes, because of how', (party) => ({
    ...party.permitted,
    action: { name: 'delete', ...soft },
  })),
  'fixture-request-deny-based-on-action-properties': ignoresProperties('no, because of how', (party) => ({
    ...party.permitted,
    action: { name: 'delete', properties: { soft: false } },
  })),
  'missing-subject': wrong('`subject` is missing', () => ({ subject: undefined })),
  'missing-action': wrong('`action` is missing', () => ({ action: undefined })),
  'missing-resource': wrong('`resource` is missing', () => ({ resource: undefined })),
  'subject-missing-type': wrong('`subject.type` is missing', ({ alice: { id } }) => ({ subject: { id } })),
  'subject-missing-id': wrong('`subject.id` is missing', () => ({ subject: { type: 'user' } })),
  'action-missing-name': wrong('`action.name` is missing', () => ({ action: {} })),
  'resource-missing-type': wrong('`resource.type` is missing', ({ records: [{ id }] }) => ({ resource: { id } })),
  'resource-missing-id': wrong('`resource.id` is missing', () => ({ resource: { type: 'service' } })),
  'subject-is-string': wrong('`subject` is a text', ({ alice: { id } }) => ({ subject: id })),
  'action-name-is-number': wrong('`action.name` is a number', () => ({ action: { name: 123 } })),
  'unknown-subject-fields-ignored': unknownIn('subject'),
  'unknown-resource-fields-ignored': unknownIn('resource'),
  'unknown-action-fields-ignored': unknownIn('action'),
  'missing-credentials-returns-401': credentials(''),
  'invalid-credentials-returns-401': credentials('Bearer invalid-credential-that-is-none'),
  ...transport('evaluation'),
})
