import { describe, expect, test } from 'vitest'
import { encodeAnswer } from '#simulators/saml-idp/answer.ts'
import { attempt, outcomeOf, refused, rightAttempt, signedIn } from '#test/saml/attempt.ts'
import { type Asked, askCompany, companyAnswer } from '#test/saml/company.ts'
import { portalWithCompany } from '#test/saml/portal-with-company.ts'
import { afterIssuer, replaceAssertion } from '#test/saml/wrapping.ts'

const { portal, theirs, person } = await portalWithCompany()

const own = (asked: Asked) => companyAnswer(theirs, asked, { nameId: person.email })
// The attacks add content outside the signed element, so the signature stays valid.
const extended = (xml: string, what: string) => afterIssuer(xml, `<samlp:Extensions>${what}</samlp:Extensions>`)

test('a user signs in, also with many groups and harmless extensions', async () => {
  expect(await rightAttempt(portal, theirs, person)).toEqual(signedIn(person))
  const craft = (asked: Asked) => extended(own(asked), '<x xmlns="urn:x">x</x>')
  expect(await attempt(portal, { company: theirs, craft })).toEqual(signedIn(person))
  const groups = Object.fromEntries(Array.from({ length: 400 }, (_, number) => [`group ${number}`, 'member']))
  const member = (asked: Asked) => companyAnswer(theirs, asked, { nameId: person.email, attributes: groups })
  expect(await attempt(portal, { company: theirs, craft: member })).toEqual(signedIn(person))
  const declared = (asked: Asked) => `<?xml version="1.0" encoding="UTF-8"?>\n${own(asked)}`
  expect(await attempt(portal, { company: theirs, craft: declared })).toEqual(signedIn(person))
})

describe('a response is rejected quickly, with', () => {
  const bomb = Array.from({ length: 9 }, (_, level) => `<!ENTITY a${level + 1} "${`&a${level};`.repeat(10)}">`)
  const other = 'xmlns:x="urn:x"'
  const canonicalized = (prefix: string) =>
    `<${prefix}:Transform ${other} Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>`
  const hostile: [RegExp, Record<string, (xml: string) => string>][] = [
    [
      /document type/,
      {
        'a document type': (xml) => `<!DOCTYPE x>${xml}`,
        'a document type in small letters': (xml) => `<!doctype x>${xml}`,
        'a document type behind a declaration and a comment': (xml) =>
          `<?xml version="1.0"?><!-- x --><!DOCTYPE x>${xml}`,
        'an entity of its own': (xml) => `<!DOCTYPE x [<!ENTITY e "${person.email}">]>${xml}`,
        'an entity from a file': (xml) =>
          `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${extended(xml, '<x xmlns="urn:x">&e;</x>')}`,
        'an entity from the network': (xml) => `<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">${xml}`,
        'entities that grow': (xml) =>
          `<!DOCTYPE x [<!ENTITY a0 "aaaaaaaaaa">${bomb.join('')}]>${extended(xml, '<x xmlns="urn:x">&a9;</x>')}`,
        'a page instead': () => '<!doctype html><title>x</title>',
      },
    ],
    [
      /nested too deeply/,
      {
        'ten thousand elements in each other': (xml) =>
          extended(xml, `${'<x>'.repeat(10_000)}${'</x>'.repeat(10_000)}`),
        'five hundred elements in each other': (xml) => extended(xml, `${'<x>'.repeat(500)}${'</x>'.repeat(500)}`),
      },
    ],
    [
      /too many elements/,
      {
        'two thousand elements beside each other': (xml) => extended(xml, '<x xmlns="urn:x"/>'.repeat(2_000)),
      },
    ],
    [
      /too many attributes/,
      {
        'ten thousand attributes': (xml) =>
          extended(xml, `<x ${Array.from({ length: 10_000 }, (_, number) => `a${number}=""`).join(' ')}/>`),
        'ten thousand namespaces': (xml) =>
          extended(xml, `<x ${Array.from({ length: 5_000 }, (_, number) => `xmlns:a${number}="u"`).join(' ')}/>`),
      },
    ],
    // A verifier processes each of these before the signature is proven.
    [
      /transformed more than twice/,
      {
        'hundreds of transforms': (xml) =>
          xml.replace('</ds:Transforms>', (end) => `${canonicalized('ds').repeat(900)}${end}`),
      },
    ],
    [
      /unexpected elements/,
      {
        'hundreds of transforms of another language': (xml) =>
          xml.replace('</ds:Transforms>', (end) => `${canonicalized('x').repeat(900)}${end}`),
        'a list of them before the right one': (xml) =>
          xml.replace(
            '<ds:Transforms>',
            (right) => `<x:Transforms ${other}>${canonicalized('x')}</x:Transforms>${right}`,
          ),
        'hundreds of references of another language': (xml) =>
          xml.replace(/<ds:Reference .*<\/ds:Reference>/s, (right) => {
            const foreign = right.replaceAll('ds:', 'x:').replace(' URI', ` ${other} URI`)
            return `${foreign.repeat(150)}${right}`
          }),
      },
    ],
    [
      /not well-formed/,
      {
        'one attribute twice': (xml) => xml.replace(' Version="2.0"', ' Version="2.0" Version="2.0"'),
        'tags that do not close': (xml) => xml.replace('</samlp:Response>', ''),
        'something behind the end': (xml) => `${xml}<x/>`,
      },
    ],
    [
      /not a SAML response/,
      {
        'a response of another language': (xml) => xml.replaceAll('urn:oasis:names:tc:SAML:2.0:protocol', 'urn:x'),
        'a request instead': (xml) => xml.replaceAll('samlp:Response', 'samlp:AuthnRequest'),
        'the end of a session instead': (xml) =>
          replaceAssertion(xml, '').replaceAll('samlp:Response', 'samlp:LogoutResponse'),
      },
    ],
    [
      /one Assertion/,
      {
        'an assertion of another language': (xml) =>
          xml.replaceAll('urn:oasis:names:tc:SAML:2.0:assertion', 'urn:oasis:names:tc:SAML:1.0:assertion'),
      },
    ],
    [
      /not in base64|is empty/,
      {
        nothing: () => '',
        'no XML': () => 'Hello',
      },
    ],
    [
      /not signed by/,
      {
        'U+0000': (xml) => xml.replace(person.email, `${person.email}\u0000`),
      },
    ],
  ]
  const cases = hostile.flatMap(([because, group]) =>
    Object.entries(group).map(([what, spoil]) => ({ what, spoil, because })),
  )
  test.each(cases)('$what', async ({ spoil, because }) => {
    const started = performance.now()
    expect(await attempt(portal, { company: theirs, craft: (asked) => spoil(own(asked)) })).toEqual(refused(because))
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  test('more than 256 KB', async () => {
    const craft = (asked: Asked) => extended(own(asked), `<x xmlns="urn:x">${'x'.repeat(300_000)}</x>`)
    const outcome = await attempt(portal, { company: theirs, craft })
    expect(outcome).toMatchObject({ signedInAs: undefined, successes: [] })
    expect([303, 413]).toContain(outcome.answered)
  })
})

describe('a form is rejected that', () => {
  const cross = { 'sec-fetch-site': 'cross-site', origin: 'https://idp.example' }
  const post = (fields: Record<string, string>, id: number | string = theirs.configId) =>
    portal.browser().submit(`/saml/${id}/acs`, fields, cross)

  test('has no response, or one that is not base64', async () => {
    for (const answer of ['', '%%%', 'å', 'AAAA', '====', '\u0000']) {
      const browser = portal.browser()
      const { relayState } = await askCompany(portal, browser, theirs)
      expect(await outcomeOf(portal, browser, () => post({ SAMLResponse: answer, RelayState: relayState }))).toEqual(
        refused(/not in base64|is empty|well-formed/),
      )
    }
    expect((await post({})).statusCode).toBe(303)
  })

  test('is sent to an unknown configuration', async () => {
    const browser = portal.browser()
    const asked = await askCompany(portal, browser, theirs)
    const form = { SAMLResponse: encodeAnswer(own(asked)), RelayState: asked.relayState }
    for (const id of ['999999', '0', '-1', '2147483648', '99999999999999999999', '1.5', 'x', '%00', "1'--"]) {
      const response = await post(form, id)
      expect(response.statusCode, id).toBeLessThan(500)
      await browser.follow(response)
      expect((await browser.get('/api/me')).statusCode).toBe(401)
    }
  })

  test('has a field twice', async () => {
    const browser = portal.browser()
    const asked = await askCompany(portal, browser, theirs)
    const once = new URLSearchParams({ SAMLResponse: encodeAnswer(own(asked)), RelayState: asked.relayState })
    const response = await portal.app.inject({
      method: 'POST',
      url: `/saml/${theirs.configId}/acs`,
      headers: { ...cross, host: 'portal.test', 'content-type': 'application/x-www-form-urlencoded' },
      payload: `${once}&${once}`,
    })
    expect(response.statusCode).toBeLessThan(500)
    expect(String(response.headers.location)).not.toContain('ticket=')
  })

  test('is not a form: the endpoint accepts only forms', async () => {
    const address = `/saml/${theirs.configId}/acs`
    const browser = portal.browser()
    expect((await browser.post(address, { SAMLResponse: 'x' })).statusCode).toBe(415)
    expect((await browser.get(address)).statusCode).toBe(405)
    expect((await browser.put(address, {})).statusCode).toBeGreaterThanOrEqual(400)
  })
})

test('no content of a response is logged', async () => {
  const craft = (asked: Asked) =>
    companyAnswer(theirs, asked, { nameId: 'secret-name@else.example', attributes: { ssn: '201701102384' } })
  expect(await attempt(portal, { company: theirs, craft })).toEqual(refused())
  const logged = JSON.stringify(portal.logged)
  for (const secret of ['201701102384', 'SAMLResponse', '<saml', 'ticket=']) expect(logged).not.toContain(secret)
})
