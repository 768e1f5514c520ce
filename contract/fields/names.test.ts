import { describe, expect, test } from 'vitest'
import { looksLikeAddress, optionalName, requiredName } from './names.ts'

const names = [
  ...['St. Anna', 'J.R. Larsson', 'J.R.Larsson', 'A.P. Møller - Mærsk', 'Bolaget i Sverige AB', 'E.ON Sverige AB'],
  ...[
    'Berg m.fl.',
    'Dödsboet efter K. Ek, d.y.',
    'S.p.A. Rossi',
    'Studio 2.0',
    'Version 1.2.3',
    'Nr.1 Bygg',
    '.NET-konsult AB',
  ],
  ...[
    'Anna-Karin',
    "O'Brien",
    'D’Arc',
    'Jean-François',
    'Müller & Söhne',
    'Øresund/Öresund',
    'AB C/D',
    'Vänta...',
    'Www AB',
  ],
  ...[
    '李小龍',
    'محمد',
    'Ελένη',
    '👩‍🚒 Brandkåren',
    'Ny: avdelning',
    'Inc.',
    'Co. KG',
    'G.m.b.H.',
    'Kv. 3/4',
    'AB 24:7',
  ],
]
const addresses = [
  ...[
    'http://evil.example/login X',
    'evil.example',
    'Evil.Example',
    'Läs på evil.example',
    'www.evil',
    'WWW.EVIL.example',
  ],
  ...[
    'ftp://x',
    'x://y',
    'https:evil',
    'mailto:x',
    'anna@evil.example',
    'evil.example/login',
    'a.b.evil.example',
    'evil.co',
  ],
  // What a browser or mail program reads as the same.
  ...[
    'ｅｖｉｌ．ｅｘａｍｐｌｅ',
    'evil。example',
    'evil.\u200bexample',
    'evil.\u00adexample',
    'e\u2060vil.example',
    'evil․example',
  ],
  ...[
    'evil.xn--p1ai',
    'пример.рф',
    'evil.example.',
    '(evil.example)',
    'evil.example,',
    't.me/evil',
    '10.0.0.1',
    'node.js konsult',
  ],
]
const broken = [
  'Anna\nEk',
  'Anna\rEk',
  'Anna\tEk',
  'Anna\u2028Ek',
  'Anna\u0085Ek',
  'Anna\u001bEk',
  'Anna\u202eelpmaxe.live',
]

const messages = (schema: ReturnType<typeof requiredName> | ReturnType<typeof optionalName>, name: string) =>
  schema.safeParse(name).error?.issues.map(({ message }) => message)

describe.each([
  ['required', requiredName()],
  ['optional', optionalName()],
] as const)('a %s name', (_, schema) => {
  test.each(names)('may be %s', (name) => expect(messages(schema, name)).toBeUndefined())
  test.each([...addresses, ...broken])('is refused as %j', (name) =>
    expect(messages(schema, name)).toEqual(['nameLooksLikeAddress']),
  )
})

test('a web address is refused wherever it stands in a name, and whatever surrounds it', () => {
  for (const address of ['evil.example', 'https://evil.example', 'www.evil.example', 'sub.evil.example/a?b'])
    for (const around of names)
      for (const name of [
        `${around} ${address}`,
        `${address} ${around}`,
        `${around} (${address})`,
        `${around}, ${address}`,
      ])
        expect(looksLikeAddress(name), name).toBe(true)
})

test('a long name costs no time', () => {
  const start = performance.now()
  for (const part of ['a.', 'www.', '://', '1.', 'a/', '.', 'é.', '\u200b', '1.1.1.'])
    looksLikeAddress(part.repeat(2000))
  expect(performance.now() - start).toBeLessThan(500)
})
