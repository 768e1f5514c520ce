import { describe, expect, test } from 'vitest'
import { type PeopleList, readPeople } from './read-people.ts'

const rows = (text: string) => {
  const list = readPeople(text)
  return 'people' in list ? list.people.map(({ row }) => row) : list
}
const anna = {
  email: 'anna@x.se',
  firstName: 'Anna',
  lastName: 'Berg',
  services: ['Arkiv', 'Lön'],
  userRole: 'regular',
}

describe('an admin pastes people', () => {
  test.each([
    ['from a spreadsheet', 'anna@x.se\tAnna\tBerg\tArkiv; Lön\tregular'],
    ['with semicolons', 'anna@x.se;Anna;Berg;Arkiv|Lön;regular'],
    ['with commas', 'anna@x.se,Anna,Berg,Arkiv;Lön,regular'],
    ['with quotes', '"anna@x.se";"Anna";"Berg";"Arkiv;Lön";"regular"'],
    ['with services on lines of their own', '"anna@x.se","Anna","Berg","Arkiv\nLön","regular"'],
    ['with Swedish headers', 'E-post;Förnamn;Efternamn;Tjänster;Roll\nanna@x.se;Anna;Berg;Arkiv|Lön;Användare'],
    ['with English headers', 'Role,Last name,First name,E-mail,Services\nUser,Berg,Anna,anna@x.se,Arkiv|Lön'],
    ['with Finnish headers', 'Sähköposti;Etunimi;Sukunimi;Palvelut;Rooli\nanna@x.se;Anna;Berg;Arkiv|Lön;Käyttäjä'],
    ['with French headers', 'Adresse e-mail;Prénom;Nom;Services;Rôle\nanna@x.se;Anna;Berg;Arkiv|Lön;Utilisateur'],
    [
      'with the line that Excel adds',
      'sep=;\r\nE-POST;FÖRNAMN;EFTERNAMN;TJÄNSTER;ROLL\r\nanna@x.se;Anna;Berg;Arkiv|Lön;regular',
    ],
  ])('%s', (_, text) => {
    expect(rows(text)).toEqual([anna])
  })

  test('addresses alone are enough', () => {
    expect(rows('anna@x.se\n\nbo@x.se\n')).toMatchObject([{ email: 'anna@x.se' }, { email: 'bo@x.se' }])
  })

  test('a role in any of the languages, and one that nobody knows', () => {
    const text = 'e-mail,roll\na@x.se,Administratör\nb@x.se,ylläpitäjä\nc@x.se,chef\nd@x.se,'
    expect(rows(text)).toMatchObject([
      { userRole: 'organizationAdmin' },
      { userRole: 'organizationAdmin' },
      { userRole: 'chef' },
      { userRole: '' },
    ])
  })

  test('a column that is not used is named, one that has no name is noticed', () => {
    const list = readPeople('E-post,Telefon,Förnamn\na@x.se,0701740605,Anna,mer') as PeopleList
    expect(list.ignored).toEqual(['Telefon'])
    expect(list.people[0]).toMatchObject({ row: { email: 'a@x.se', firstName: 'Anna' }, overlong: true })
  })

  test('every person can be found again in the text', () => {
    const text = 'sep=,\nE-post,Förnamn\na@x.se,"Anna\nMaria"\nb@x.se,Bo'
    const list = readPeople(text) as PeopleList
    expect(list.head).toBe('sep=,\nE-post,Förnamn\n')
    expect(list.people.map(({ line, start, end }) => [line, text.slice(start, end)])).toEqual([
      [3, 'a@x.se,"Anna\nMaria"'],
      [5, 'b@x.se,Bo'],
    ])
  })

  test.each([
    ['', { message: 'required' }],
    [' \n\n ', { message: 'required' }],
    ['E-post;Förnamn', { message: 'importOnlyHeader' }],
    [',,\n,', { message: 'importOnlyHeader' }],
    ['Förnamn;Efternamn\nAnna;Berg', { message: 'importNoEmailColumn' }],
    ['a@x.se,"Anna\nb@x.se', { message: 'importOpenQuote', line: 1 }],
    ['sep=;\na@x.se;Anna\nb@x.se;"Bo', { message: 'importOpenQuote', line: 3 }],
    ['a@x.se\n'.repeat(501), { message: 'importTooManyRows', count: 501 }],
    ['x'.repeat(500_001), { message: 'importTooLong' }],
  ])('is told why %j is no list', (text, problem) => {
    expect(readPeople(text)).toEqual(problem)
  })

  test('five hundred people are not too many', () => {
    expect(rows('a@x.se\n'.repeat(500))).toHaveLength(500)
  })
})

test('the apostrophe of an exported list is taken off', () => {
  const list = readPeople(
    "E-postadress;Förnamn;Efternamn;Tjänster\r\na@b.se;'=Eva;'+46;'@x | Journal\r\nc@d.se;'Olle;O'Hara;",
  )
  if (!('people' in list)) throw new Error(list.message)
  expect(list.people.map(({ row }) => [row.firstName, row.lastName, row.services])).toEqual([
    ['=Eva', '+46', ['@x', 'Journal']],
    ["'Olle", "O'Hara", []],
  ])
})
