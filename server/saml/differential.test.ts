import { createPrivateKey } from 'node:crypto'
import { SAML } from '@node-saml/node-saml'
import { describe, expect, test } from 'vitest'
import { type Answer, answerTo, encodeAnswer, type Question } from '#simulators/saml-idp/answer.ts'
import { signedAnswer } from '#simulators/saml-idp/signed-answer.ts'
import { selfSigned } from '#test/saml/certificate.ts'
import { withEncrypted } from '#test/saml/encrypted.ts'
import { wrappings } from '#test/saml/wrapping.ts'
import { verifyResponse } from './verify-response.ts'

// An independent implementation reads the same answers: what we accept it must accept too, and read alike.

const key = selfSigned({ name: 'idp.example' })
const question: Question = {
  requestId: '_request',
  acsUrl: 'https://portal.example/saml/1/acs',
  audience: 'https://portal.example/saml',
  issuer: 'https://idp.example/metadata',
  now: new Date(),
}
const reader = selfSigned({ name: 'portal.example' })
const signers = {
  certificates: [key.certificate],
  wantAssertionsSigned: null,
  wantAuthnResponseSigned: null,
  cbcAllowed: false,
  decryptionKeys: () => [createPrivateKey(reader.privateKey)],
}
const other = new SAML({
  callbackUrl: question.acsUrl,
  issuer: question.audience,
  audience: question.audience,
  idpCert: key.certificate,
  idpIssuer: question.issuer,
  entryPoint: 'https://idp.example/sso',
  wantAssertionsSigned: false,
  wantAuthnResponseSigned: false,
  acceptedClockSkewMs: 30_000,
  decryptionPvk: reader.privateKey,
})

interface Read {
  nameId: string | undefined
  attributes: Record<string, string>
}

async function ours(xml: string): Promise<Read | undefined> {
  const { acsUrl, audience, requestId, now, issuer } = question
  const expected = {
    acsUrl,
    audience,
    requestId,
    now,
    entityId: issuer,
    clockSkew: 30_000,
    authenticatedSince: undefined,
    authnContexts: [],
  }
  try {
    const { nameId, attributes } = await verifyResponse(encodeAnswer(xml), signers, expected)
    return { nameId, attributes: Object.fromEntries([...attributes].map(([name, [value = '']]) => [name, value])) }
  } catch {
    return undefined
  }
}

async function theirs(xml: string): Promise<Read | undefined> {
  try {
    const { profile } = await other.validatePostResponseAsync({ SAMLResponse: encodeAnswer(xml) })
    const attributes = profile?.attributes as Record<string, string> | undefined
    return profile ? { nameId: profile.nameID, attributes: attributes ?? {} } : undefined
  } catch {
    return undefined
  }
}

/** @returns whether we accept it */
async function compare(xml: string, what: string): Promise<boolean> {
  const read = await ours(xml)
  if (read) expect(await theirs(xml), what).toEqual(read)
  return read !== undefined
}

const subject = { nameId: 'employee@idp.example', attributes: { group: 'staff', ssn: '199908072391' } }
const signedBy = {
  assertion: { assertion: true },
  response: { response: true },
  both: { assertion: true, response: true },
}
const answer = (by: keyof typeof signedBy, changed: Partial<Answer> = {}) =>
  signedAnswer({ ...answerTo(question, subject), ...changed }, { key, ...signedBy[by] })

/** Numbers from a seed, so that a failure can be repeated. */
function seeded(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}

/** Small changes of the text of an answer, from those that XML ignores to those that break it. */
const mutations: Record<string, (xml: string, random: (below: number) => number) => string> = {
  'a comment in a text or between elements': (xml, random) => intoGap(xml, random, '<!-- x -->'),
  'a processing instruction': (xml, random) => intoGap(xml, random, '<?x y?>'),
  'white space': (xml, random) => intoGap(xml, random, ' \n\t'),
  'a text section': (xml, random) => intoGap(xml, random, '<![CDATA[x]]>'),
  'a character reference': (xml, random) => intoGap(xml, random, '&#x61;'),
  'a further attribute': (xml, random) => intoTag(xml, random, ' x="y"'),
  'a further namespace': (xml, random) => intoTag(xml, random, ' xmlns:x="urn:x"'),
  'white space in a tag': (xml, random) => intoTag(xml, random, '\n  '),
  'single quotes': (xml, random) => replaceNth(xml, /"([^"']*)"/g, random, (_, value) => `'${value}'`),
  'a character less': (xml, random) => splice(xml, random(xml.length), 1, ''),
  'another character': (xml, random) => splice(xml, random(xml.length), 1, String.fromCharCode(32 + random(95))),
  'an element twice': (xml, random) =>
    replaceNth(xml, /<(saml:\w+)\b[^>]*>[^<]*<\/\1>/g, random, (once) => once + once),
  'an element less': (xml, random) => replaceNth(xml, /<(\w+:\w+)\b[^>]*>[^<]*<\/\1>/g, random, () => ''),
  'an attribute less': (xml, random) => replaceNth(xml, / [\w:]+="[^"]*"/g, random, () => ''),
  'another value': (xml, random) => replaceNth(xml, /="([^"]*)"/g, random, () => '="x"'),
}

const splice = (text: string, at: number, length: number, by: string) =>
  text.slice(0, at) + by + text.slice(at + length)
const intoGap = (xml: string, random: (below: number) => number, what: string) =>
  replaceNth(xml, /[^<>]?(?=<)|>/g, random, (found) => found + what)
const intoTag = (xml: string, random: (below: number) => number, what: string) =>
  replaceNth(xml, /<\w+:\w+/g, random, (found) => found + what)

function replaceNth(
  xml: string,
  pattern: RegExp,
  random: (below: number) => number,
  by: (...match: string[]) => string,
): string {
  const all = [...xml.matchAll(pattern)]
  const match = all[random(all.length)]
  return match ? splice(xml, match.index, match[0].length, by(...(match as unknown as string[]))) : xml
}

test.each(Object.keys(signedBy) as (keyof typeof signedBy)[])(
  'a right answer whose %s is signed is read alike by both',
  async (by) => {
    expect(await compare(answer(by), by)).toBe(true)
  },
)

test('an encrypted assertion is read alike by both', async () => {
  for (const content of ['aes128-gcm', 'aes256-gcm'] as const)
    expect(
      await compare(withEncrypted(answer('assertion'), { certificate: reader.certificate, content }), content),
    ).toBe(true)
})

test('we accept no wrapped response', async () => {
  for (const { name, signed, wrap } of wrappings)
    expect(await compare(wrap(answer(signed), subject.nameId, 'victim@idp.example'), name)).toBe(false)
})

describe('a changed response that we accept is accepted and read the same way by the other library', () => {
  const rounds = 40
  const encrypted = withEncrypted(answer('assertion'), { certificate: reader.certificate })
  const answers = [answer('assertion'), answer('response'), answer('both'), encrypted]
  let accepted = 0
  test.each(Object.entries(mutations))('%s', async (name, mutate) => {
    const random = seeded(name.length)
    for (let round = 0; round < rounds; round++) {
      const xml = mutate(answers[round % answers.length] ?? '', random)
      if (await compare(xml, `${name}, round ${round}: ${xml}`)) accepted++
    }
  })
  test('some changed responses are accepted', () => {
    console.log(`${accepted} of ${rounds * Object.keys(mutations).length} changed answers accepted`)
    expect(accepted).toBeGreaterThan(40)
  })
})
