import { expect } from 'vitest'
import type { AuthzenParty } from './authzen-party.ts'
import type { Module } from './module.ts'

type Path = 'evaluation' | 'evaluations'
type Modules = Record<string, Omit<Module<AuthzenParty>, 'name'>>

/** What the plans for one and for several decisions demand alike of a request and its answer, by the end of their names. */
export const transport = (path: Path): Modules => {
  const request = ({ permitted, alice, records }: AuthzenParty) =>
    path === 'evaluation'
      ? permitted
      : { subject: alice, action: { name: 'read' }, evaluations: records.map((resource) => ({ resource })) }
  const yes = (body: unknown) => {
    const decisions = path === 'evaluation' ? [body] : (body as { evaluations: unknown[] }).evaluations
    expect(decisions[0]).toEqual({ decision: true })
  }
  const refused = (demands: string, text: string): Omit<Module<AuthzenParty>, 'name'> => ({
    demands: `400 for ${demands}`,
    async check({ ask }) {
      expect((await ask(path, { text })).status).toBe(400)
    },
  })
  const method = (name: 'GET' | 'PUT'): Omit<Module<AuthzenParty>, 'name'> => ({
    demands: `${name} is refused, as every method but POST`,
    async check({ method }) {
      expect((await method(name, path)).statusCode).toBe(405)
    },
  })
  return {
    'unknown-top-level-fields-ignored': {
      demands: 'the same answer with fields that nobody knows',
      async check(party) {
        const body = { ...request(party), foo: 'bar', futureField: { nested: true } }
        const answer = await party.ask(path, { body })
        expect(answer.status).toBe(200)
        yes(answer.body)
      },
    },
    'x-request-id-echoed': {
      demands: 'the `X-Request-ID` of the request in the answer',
      async check(party) {
        const headers = { 'x-request-id': 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716' }
        for (const body of [request(party), {}])
          expect((await party.ask(path, { body, headers })).headers).toMatchObject(headers)
        expect((await party.ask(path, { body: request(party) })).status).toBe(200)
      },
    },
    idempotency: {
      demands: 'the same answer each time',
      async check(party) {
        for (const _ of [1, 2, 3]) yes((await party.ask(path, { body: request(party) })).body)
      },
    },
    'reject-get-method': method('GET'),
    'reject-put-method': method('PUT'),
    'reject-top-level-array': refused('an array instead of an object', '[{}]'),
    'reject-non-json-content-type': {
      demands: '4xx for another content type than JSON; here 415',
      async check(party) {
        const headers = { 'content-type': 'text/plain' }
        expect((await party.ask(path, { body: request(party), headers })).status).toBe(415)
      },
    },
    'accept-content-type-with-charset': {
      demands: 'JSON with its charset is read',
      async check(party) {
        const headers = { 'content-type': 'application/json; charset=utf-8' }
        yes((await party.ask(path, { body: request(party), headers })).body)
      },
    },
    'reject-malformed-json': refused('what is no JSON', '{ "subject": { "type": "user" } , broken'),
    'reject-empty-body': refused('an empty body', ''),
  }
}
