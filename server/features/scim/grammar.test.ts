import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Directory, directoryOf } from '#test/directory.ts'
import { patchGroup } from '#test/directory-groups.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// The grammar of RFC 7644 line by line: what it has, and what this server does with it (docs/directories.md has the same table).

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const core = 'urn:ietf:params:scim:schemas:core:2.0:User'

let portal: TestApp
let here: Directory
/** The ids of the people, and their names by these. */
const names = new Map<string, string>()
const idOf = (name: string) => [...names].find(([, one]) => one === name)?.[0] ?? ''
let surgeons: string
beforeAll(async () => {
  portal = await testApp()
  here = await directoryOf(portal)
  const at = (name: string) => `${name}@${here.mailDomain}`
  const add = async (name: string, more: object) => {
    const emails = [
      { value: at(name), type: 'work', primary: true },
      { value: `${name}@home.example`, type: 'home' },
    ]
    const { id } = await here.created({ userName: at(name), externalId: `${name}-Ext`, emails, ...more })
    names.set(id, name)
    portal.advance(60)
  }
  await add('asa', { title: 'Läkare', userType: 'Employee', name: { givenName: 'Åsa', familyName: "O'Malley" } })
  await add('bo', { userType: 'Intern', active: false, [enterprise]: { department: 'Kirurgi', manager: 'boss' } })
  await add('kim', { title: 'Chef', emails: [{ value: at('kim'), type: 'work' }], externalId: undefined })
  const members = [{ value: idOf('asa') }, { value: idOf('bo') }]
  surgeons = (await here.call('POST', '/Groups', { displayName: 'Surgeons', externalId: 'g-1', members })).json().id
  await here.call('POST', '/Groups', { displayName: 'Nobody' })
})
afterAll(() => portal?.close())

const ask = async (path: string, filter: string) =>
  here.call('GET', `${path}?count=200&filter=${encodeURIComponent(filter)}`)
async function people(filter: string) {
  const answer = await ask('/Users', filter)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer
    .json()
    .Resources.map(({ id }: { id: string }) => names.get(id))
    .sort()
}

describe('a filter of people', () => {
  test.each([
    // 3.4.2.2, table 3: the operators.
    ['userName eq "ASA@<d>"', ['asa']],
    ['userType ne "Employee"', ['bo', 'kim']],
    ['title co "äk"', ['asa']],
    ['userName sw "K"', ['kim']],
    ['emails.value ew "@home.example"', ['asa', 'bo']],
    ['title pr', ['asa', 'kim']],
    ['userName gt "asa@<d>"', ['bo', 'kim']],
    ['userName ge "bo@<d>"', ['bo', 'kim']],
    ['userName lt "bo@<d>"', ['asa']],
    ['userName le "bo@<d>"', ['asa', 'bo']],
    // Table 4 and 5: logic and grouping.
    ['title pr and userType eq "Employee"', ['asa']],
    ['title pr or userType eq "Intern"', ['asa', 'bo', 'kim']],
    ['not (title pr)', ['bo']],
    ['not(title pr)', ['bo']],
    ['title pr and userType eq "x" or userType eq "Intern"', ['bo']],
    ['title pr and (userType eq "Employee" or userType eq "Intern")', ['asa']],
    ['(userName eq "asa@<d>")', ['asa']],
    ['((not ((title pr))))', ['bo']],
    // Figure 2: names, operators and words in any case, with the schema in front.
    ['Username Eq "bo@<d>"', ['bo']],
    ['USERNAME EQ "bo@<d>" OR TITLE PR AND ACTIVE EQ TRUE', ['asa', 'bo', 'kim']],
    ['name.familyName co "O\'Malley"', ['asa']],
    [`${core}:userName sw "b"`, ['bo']],
    [`${core}:name.familyName eq "o'malley"`, ['asa']],
    [`${enterprise}:department eq "kirurgi"`, ['bo']],
    [`${enterprise}:manager.value eq "boss"`, ['bo']],
    [`${enterprise}:manager eq "boss"`, ['bo']],
    [`${enterprise} pr`, ['bo']],
    [`schemas eq "${enterprise}"`, ['bo']],
    [`schemas eq "${core}"`, ['asa', 'bo', 'kim']],
    ['meta.lastModified gt "2011-05-13T04:42:34Z"', ['asa', 'bo', 'kim']],
    ['meta.created lt "2011-05-13T04:42:34Z"', []],
    ['meta.resourceType eq "User"', ['asa', 'bo', 'kim']],
    ['userType eq "Employee" and (emails co "home.example" or emails.value co "example.org")', ['asa']],
    ['userType ne "Employee" and not (emails co "home.example" or emails.value co "example.org")', ['kim']],
    ['userType eq "Employee" and (emails.type eq "work")', ['asa']],
    ['userType eq "Employee" and emails[type eq "home" and value co "@home.example"]', ['asa']],
    ['emails[type eq "work" and value co "@home.example"]', []],
    ['emails[type eq "home" and value co "bo"] or ims[type eq "xmpp" and value co "@foo.com"]', ['bo']],
    ['emails[value eq "asa@home.example"]', ['asa']],
    ['emails[not (type eq "work")]', ['asa', 'bo']],
    ['emails[(type eq "home" or type eq "other") and primary ne true]', ['asa', 'bo']],
    ['emails[type eq "work"].value eq "KIM@<d>"', ['kim']],
    ['emails[type eq "work"].value eq "kim@home.example"', []],
    ['name[familyName sw "o\'"]', ['asa']],
    // Values: JSON texts, booleans in whatever spelling, numbers, null.
    ['active eq true', ['asa', 'kim']],
    ['active eq "False"', ['bo']],
    ['active ne true', ['bo']],
    ['emails[primary eq "True"]', ['asa', 'bo']],
    ['title eq null', ['bo']],
    ['title ne null', ['asa', 'kim']],
    ['title eq 7', []],
    ['title eq "L\\u00e4kare"', ['asa']],
    ['externalId eq "asa-Ext"', ['asa']],
    ['externalId eq "asa-ext"', []],
    ['externalId pr', ['asa', 'bo']],
    ['id eq "<bo>"', ['bo']],
    ['id ne "<bo>"', ['asa', 'kim']],
    ['id eq "x"', []],
    ['title co "%"', []],
    ['title sw ""', ['asa', 'kim']],
    ['emails pr and phoneNumbers pr', []],
    ['not (phoneNumbers pr) and addresses.locality ne "Lund"', ['asa', 'bo', 'kim']],
    // An attribute that is not kept has no value.
    ['nickname pr or nosuch eq "x"', []],
    ['nosuch ne "x" and active eq true', ['asa', 'kim']],
  ])('%s finds %j', async (filter, expected) => {
    const written = filter.replaceAll('<d>', here.mailDomain).replaceAll('<bo>', idOf('bo'))
    expect(await people(written)).toEqual(expected)
  })

  test.each([
    'title',
    'title pr pr',
    'title xx "x"',
    'title eq "x',
    'title eq x',
    "title eq 'x'",
    '"title" eq "x"',
    'title eq "x" and',
    'and title pr',
    'not title pr',
    '(title pr',
    'title pr)',
    'emails[type eq "work"',
    'emails[]',
    'userName[value eq "x"]',
    'emails[value[type eq "x"] pr]',
    'active co "t"',
    'active gt false',
    'active eq "no"',
    'title eq true',
    'title co null',
    'name eq "x"',
    'meta.created co "2026"',
    'meta.created gt "soon"',
    'title eq "\\u0000"',
    'title eq "\\ud800"',
    `${'('.repeat(12)}title pr${')'.repeat(12)}`,
    Array.from({ length: 31 }, () => 'title pr').join(' or '),
    `title eq "${'x'.repeat(1000)}"`,
  ])('%s is refused as invalid', async (filter) => {
    const answer = await ask('/Users', filter)
    expect([answer.statusCode, answer.json().scimType]).toEqual([400, 'invalidFilter'])
  })

  test('by what is not kept, or by a personal number, stands in the log by name', async () => {
    expect(await people('nosuch eq "secret" or title eq "19811218-9876"')).toEqual([])
    expect((await here.logged()).notes).toEqual([
      { attribute: 'nosuch', reason: 'unknown' },
      { attribute: 'title', reason: 'personalNumber' },
    ])
  })
})

describe('a filter of groups', () => {
  test.each([
    ['displayName eq "SURGEONS"', 1],
    ['displayName co "e"', 1],
    ['externalId eq "g-1"', 1],
    ['externalId eq "G-1"', 0],
    ['members[value eq "<asa>"]', 1],
    ['members.value eq "<asa>"', 1],
    ['members eq "<asa>"', 1],
    ['members[value eq "<kim>"]', 0],
    ['members[value eq "<asa>" and type eq "User"] and members.value eq "<bo>"', 1],
    ['members[display sw "BO@"]', 1],
    ['members.$ref ew "<asa>"', 1],
    ['not (members pr)', 1],
    ['members.value ne "<asa>"', 1],
    ['id eq "<group>"', 1],
    ['meta.resourceType eq "Group" and schemas eq "urn:ietf:params:scim:schemas:core:2.0:Group"', 2],
    ['urn:ietf:params:scim:schemas:core:2.0:Group:displayName pr', 2],
    ['owners pr', 0],
  ])('%s finds %i', async (filter, found) => {
    const written = filter.replaceAll('<group>', surgeons).replaceAll(/<(asa|bo|kim)>/g, (_, name) => idOf(name))
    const answer = await ask('/Groups', written)
    expect([answer.statusCode, answer.json().totalResults]).toEqual([200, found])
  })
})

test.each([
  ['GET', '/Schemas?filter=name%20eq%20"User"', 403, undefined],
  ['GET', `/Schemas/${core}?filter=name%20eq%20"User"`, 403, undefined],
  ['GET', '/ResourceTypes?FILTER=x', 403, undefined],
  ['GET', '/ResourceTypes/User?filter=', 403, undefined],
  ['GET', '/ServiceProviderConfig?filter=patch%20pr', 403, undefined],
  ['POST', '/Bulk', 501, undefined],
  ['GET', '/Me', 501, undefined],
  ['PATCH', '/Me', 501, undefined],
  ['DELETE', '/Me?x=y', 501, undefined],
  ['GET', '/Mean', 404, undefined],
] as const)('%s %s is answered with %i in the form of SCIM', async (method, path, status, scimType) => {
  const answer = await here.call(method, path, method === 'GET' || method === 'DELETE' ? undefined : {})
  expect(answer.json()).toMatchObject({ status: String(status), detail: expect.any(String) })
  expect([answer.statusCode, answer.json().scimType]).toEqual([status, scimType])
})

describe('an operation', () => {
  const first = { value: 'first@<d>', type: 'work', primary: true }
  const second = { value: 'second@home.example', type: 'home' }
  const person = async () => (await here.created({ emails: [first, second].map(filled), title: 'Old' })).id
  const filled = <One>(one: One): One => JSON.parse(JSON.stringify(one).replaceAll('<d>', here.mailDomain))

  test.each<[string, object, object]>([
    // 3.5.2.1: add.
    ['add', { op: 'add', path: 'title', value: 'New' }, { title: 'New' }],
    ['add without a path', { op: 'Add', value: { title: 'New', nickName: 'N' } }, { title: 'New', nickName: 'N' }],
    [
      'add to a complex one',
      { op: 'add', path: 'name', value: { givenName: 'Eva' } },
      { name: { givenName: 'Eva', familyName: 'Öberg' } },
    ],
    [
      'add to a list',
      { op: 'add', path: 'emails', value: [{ value: 'x@y.example' }] },
      { emails: [first, second, { value: 'x@y.example' }] },
    ],
    ['add what is there', { op: 'add', path: 'emails', value: second }, { emails: [first, second] }],
    // 3.5.2.3: replace.
    ['replace', { op: 'replace', path: 'title', value: 'New' }, { title: 'New' }],
    ['replace what is not there', { op: 'replace', path: 'nickName', value: 'N' }, { nickName: 'N' }],
    [
      'replace of a complex one leaves the rest',
      { op: 'replace', path: 'name', value: { givenName: 'Eva' } },
      { name: { givenName: 'Eva', familyName: 'Öberg' } },
    ],
    [
      'replace of a part',
      { op: 'replace', path: 'name.familyName', value: 'Ek' },
      { name: { givenName: 'Åsa', familyName: 'Ek' } },
    ],
    ['replace of a list', { op: 'replace', path: 'emails', value: [second] }, { emails: [second] }],
    [
      'replace by a filter',
      { op: 'replace', path: 'emails[type eq "home"]', value: { display: 'x' } },
      { emails: [first, { ...second, display: 'x' }] },
    ],
    [
      'replace by a filter and a part',
      { op: 'replace', path: 'emails[type eq "home"].value', value: 'n@y.example' },
      { emails: [first, { ...second, value: 'n@y.example' }] },
    ],
    ...['"True"', '"true"', 'true', 'TRUE'].map((written): [string, object, object] => [
      `replace of the primary one, ${written}`,
      { op: 'Replace', path: `emails[primary eq ${written}].value`, value: 'n@<d>' },
      { emails: [{ ...first, value: 'n@<d>' }, second] },
    ]),
    [
      'replace where the filter finds none, and says what it is',
      { op: 'replace', path: 'phoneNumbers[type eq "mobile"].value', value: '1' },
      { phoneNumbers: [{ type: 'mobile', value: '1' }] },
    ],
    [
      'replace with or, not, co and brackets',
      { op: 'replace', path: 'emails[(type eq "x" or value co "HOME") and not (primary eq true)].display', value: 'x' },
      { emails: [first, { ...second, display: 'x' }] },
    ],
    [
      'replace of a part of every value',
      { op: 'replace', path: 'emails.display', value: 'x' },
      {
        emails: [
          { ...first, display: 'x' },
          { ...second, display: 'x' },
        ],
      },
    ],
    [
      'replace with the schema in front',
      { op: 'replace', path: `${core}:emails[type eq "home"].display`, value: 'x' },
      { emails: [first, { ...second, display: 'x' }] },
    ],
    [
      'replace of an extension',
      { op: 'replace', path: `${enterprise}:department`, value: 'x' },
      { [enterprise]: { department: 'x' } },
    ],
    ['replace with null', { op: 'replace', path: 'title', value: null }, { title: undefined }],
    // 3.5.2.2: remove.
    ['remove', { op: 'remove', path: 'title' }, { title: undefined }],
    ['remove of a part', { op: 'remove', path: 'name.familyName' }, { name: { givenName: 'Åsa' } }],
    ['remove of a list', { op: 'remove', path: 'phoneNumbers' }, { phoneNumbers: undefined }],
    ['remove by a filter', { op: 'remove', path: 'emails[value ew "@home.example"]' }, { emails: [first] }],
    [
      'remove of a part by a filter',
      { op: 'remove', path: 'emails[type eq "work"].primary' },
      { emails: [{ value: 'first@<d>', type: 'work' }, second] },
    ],
    ['remove where the filter finds none', { op: 'remove', path: 'emails[type eq "x"]' }, { emails: [first, second] }],
    [
      'remove of a list of values, as Entra does',
      { op: 'Remove', path: 'emails', value: [{ value: 'SECOND@home.example' }] },
      { emails: [first] },
    ],
    [
      'whose attribute is not kept',
      { op: 'replace', path: 'roles[primary eq "True"].display', value: 'x' },
      { title: 'Old' },
    ],
  ])('%s', async (_, operation, expected) => {
    const answer = await here.patch(await person(), filled(operation))
    expect(answer.statusCode, answer.body).toBe(200)
    for (const [name, wanted] of Object.entries(filled(expected))) expect(answer.json()[name]).toEqual(wanted)
    for (const name of Object.keys(expected).filter((one) => !(one in filled(expected))))
      expect(answer.json()[name]).toBeUndefined()
  })

  test.each<[string, unknown, string]>([
    ['none', [], 'invalidSyntax'],
    ['no list', { op: 'add' }, 'invalidSyntax'],
    ['another op', [{ op: 'move', path: 'title' }], 'invalidSyntax'],
    ['remove without a path', [{ op: 'remove' }], 'noTarget'],
    ['no path and no object', [{ op: 'add', value: 'x' }], 'invalidValue'],
    ['an empty filter', [{ op: 'remove', path: 'emails[]' }], 'invalidPath'],
    ['a filter that does not end', [{ op: 'remove', path: 'emails[type eq "work"' }], 'invalidPath'],
    ['what follows the brackets is no part', [{ op: 'remove', path: 'emails[type eq "work"]value' }], 'invalidPath'],
    ['a filter by a part that there is not', [{ op: 'remove', path: 'emails[nosuch eq "x"]' }], 'invalidPath'],
    ['a filter of one value', [{ op: 'remove', path: 'name[givenName eq "Åsa"]' }], 'invalidPath'],
    [
      'a filter that finds none, and does not say what it is',
      [{ op: 'replace', path: 'emails[value co "x@"].value', value: 'x' }],
      'noTarget',
    ],
    ['the id', [{ op: 'replace', path: 'id', value: 'x' }], 'mutability'],
    ['meta', [{ op: 'remove', path: 'meta.created' }], 'mutability'],
    ['without a userName', [{ op: 'remove', path: 'userName' }], 'mutability'],
    ['without active', [{ op: 'remove', path: 'active' }], 'mutability'],
    ['too long a path', [{ op: 'remove', path: `emails[value eq "${'x'.repeat(1000)}"]` }], 'invalidPath'],
  ])('is refused: %s', async (_, Operations, scimType) => {
    const answer = await here.call('PATCH', `/Users/${await person()}`, { Operations })
    expect([answer.statusCode, answer.json().scimType]).toEqual([400, scimType])
  })

  test.each([
    ['members[value eq "<asa>"]', ['bo']],
    ['members[value eq "<asa>" or value eq "<bo>"]', []],
    ['members[display sw "BO@" and type eq "User"]', ['asa']],
    ['members[not (value eq "<asa>")]', ['asa']],
    ['members[value eq "<kim>"]', ['asa', 'bo']],
  ])('takes out of a group: %s', async (path, left) => {
    const members = [{ value: idOf('asa') }, { value: idOf('bo') }]
    const { id } = (await here.call('POST', '/Groups', { displayName: `Group of ${path}`, members })).json()
    const written = path.replaceAll(/<(asa|bo|kim)>/g, (_, name) => idOf(name))
    expect((await patchGroup(here, id, { op: 'remove', path: written })).statusCode).toBe(204)
    const stays = (await here.call('GET', `/Groups/${id}`)).json().members
    expect(stays.map(({ value }: { value: string }) => names.get(value)).sort()).toEqual(left)
    await here.call('DELETE', `/Groups/${id}`)
  })

  test.each(['id', 'meta', 'schemas'])('of a group changes no %s', async (path) => {
    expect((await patchGroup(here, surgeons, { op: 'replace', path, value: 'x' })).json().scimType).toBe('mutability')
  })
})

describe('whether somebody is active', () => {
  test.each([[0], [1], ['no'], ['yes'], [''], [null], [[]], [[true, false]], [['no']], [{}], [{ value: false }]])(
    'is not read from %j, which is refused',
    async (active) => {
      const { id } = await here.created()
      const told = async (answer: ReturnType<Directory['call']>) => [
        (await answer).statusCode,
        (await answer).json().scimType,
      ]
      const refused = [400, 'invalidValue']
      expect(await told(here.call('POST', '/Users', here.user({ active })))).toEqual(refused)
      expect(await told(here.call('PUT', `/Users/${id}`, here.user({ active })))).toEqual(refused)
      expect(await told(here.patch(id, { op: 'Replace', path: 'active', value: active }))).toEqual(refused)
      expect(await told(here.patch(id, { op: 'Replace', value: { active } }))).toEqual(refused)
      expect((await here.call('GET', `/Users/${id}`)).json().active).toBe(true)
    },
  )

  test('stays as it was where a PUT does not say: nobody comes back by an update of something else', async () => {
    const sent = here.user()
    const { id } = (await here.call('POST', '/Users', sent)).json()
    await here.patch(id, { op: 'Replace', path: 'active', value: false })
    const { active: _, ...silent } = { ...sent, title: 'New' }
    expect((await here.call('PUT', `/Users/${id}`, silent)).json()).toMatchObject({ active: false, title: 'New' })
    expect(await here.accountAt(sent.userName)).toMatchObject({ role: null })
  })
})
