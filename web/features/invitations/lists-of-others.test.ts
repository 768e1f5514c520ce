import { describe, expect, test } from 'vitest'
import { type PeopleList, readPeople } from './read-people.ts'

const read = (text: string) => {
  const list = readPeople(text)
  if (!('people' in list)) throw new Error(list.message)
  return list as PeopleList
}
const only = (text: string) => read(text).people.map(({ row }) => row)
const asa = { email: 'asa@kund.example', firstName: 'Åsa', lastName: 'Öberg' }
const bo = { email: 'bo@kund.example', firstName: 'Bo', lastName: 'Ek' }

describe('the address is found under every usual word', () => {
  test.each([
    'E-post',
    'E-post arbete',
    'E-post (arbete)',
    'E-postadress arbete',
    'Arbetsmejl',
    'Jobbmejl',
    'Mejladress (jobb)',
    'Företagets e-post',
    'Tjänstemejl',
    'Primär e-postadress',
    'Användarens huvudnamn',
    'Användarnamn',
    'e_post',
    'Work email',
    'Work Email Address',
    'Business E-mail',
    'Company e-mail',
    'Primary email',
    'primaryEmail',
    'Email Address [Required]',
    'E-mail 1 - Value',
    'Email (Work)',
    'userPrincipalName',
    'User principal name',
    'User name [userPrincipalName] Required',
    'UPN',
    'mail',
    'Mail',
    'PrimarySmtpAddress',
    'Username',
    'Työsähköposti',
    'Sähköposti (työ)',
    'Sähköpostiosoite',
    'S-posti',
    'Adresse e-mail professionnelle',
    'Courriel',
    'Courriel professionnel',
    'Mél',
    'Adresse électronique',
    'Privat e-post',
    // A word that nobody foresaw, over a column of addresses.
    'Nås på',
  ])('%s', (word) => {
    expect(only(`Förnamn;Efternamn;${word}\nÅsa;Öberg;asa@kund.example\nBo;Ek;bo@kund.example`)).toMatchObject([
      asa,
      bo,
    ])
    expect(only(`${word};Förnamn;Efternamn\nasa@kund.example;Åsa;Öberg`)).toMatchObject([asa])
  })

  test.each([
    ['mail', 'userPrincipalName'],
    ['E-post arbete', 'E-post privat'],
    ['Work email', 'Home email'],
    ['Email Address [Required]', 'Recovery Email'],
    ['E-postadress', 'Alternativ e-postadress'],
    ['Sähköposti', 'Yksityinen sähköposti'],
  ])('%s comes before %s, and the other is named', (taken, other) => {
    for (const [header, addresses] of [
      [`${other};${taken}`, 'x@hem.example;asa@kund.example'],
      [`${taken};${other}`, 'asa@kund.example;x@hem.example'],
    ]) {
      const list = read(`Förnamn;${header}\nÅsa;${addresses}`)
      expect(list.people[0]?.row.email).toBe('asa@kund.example')
      expect(list.ignored).toEqual([other])
    }
  })

  test('a column without an address is passed over for one that has them', () => {
    expect(only('mail;userPrincipalName;displayName\n;asa@kund.example;Åsa Öberg')).toMatchObject([asa])
  })

  test('the primary of proxy addresses is taken, and the others are named', () => {
    const [person] = read(
      'Display name,Proxy addresses\nÅsa Öberg,smtp:a@alias.example+SMTP:asa@kund.example+smtp:b@alias.example',
    ).people
    expect(person?.row).toMatchObject(asa)
    expect(person?.unused).toEqual(['a@alias.example', 'b@alias.example'])
  })
})

test.each([
  [
    'Entra',
    'userPrincipalName,displayName,surname,mail,givenName,id,userType\nasa@k.example,Åsa Öberg,Öberg,asa@kund.example,Åsa,1,Member',
  ],
  [
    'the template of Entra',
    'version:v1.0\nName [displayName] Required,User name [userPrincipalName] Required,Initial password [passwordProfile] Required,First name [givenName],Last name [surname]\nÅsa Öberg,asa@kund.example,x,Åsa,Öberg',
  ],
  [
    'Microsoft 365',
    'Block credential,Display name,First name,Last name,Title,User principal name\nFalse,Åsa Öberg,Åsa,Öberg,,asa@kund.example',
  ],
  [
    'Outlook',
    '"First Name","Last Name","E-mail Address","E-mail Display Name","E-mail 2 Address"\nÅsa,Öberg,asa@kund.example,Åsa Ö,',
  ],
  ['Google contacts', 'First Name,Last Name,E-mail 1 - Label,E-mail 1 - Value\nÅsa,Öberg,Work,asa@kund.example'],
  ['a payroll system', 'Anstnr;Namn;Personnummer;E-postadress;Anställd t.o.m.\n12;Öberg, Åsa;;asa@kund.example;'],
  ['another', 'Anställningsnummer;Efternamn, förnamn;Avdelning;E-post arbete\n12;Öberg, Åsa;Ekonomi;asa@kund.example'],
  ['a French one', 'Matricule;Nom;Prénom;Courriel professionnel\n12;Öberg;Åsa;asa@kund.example'],
  ['a Finnish one', 'Sukunimi;Etunimi;Työsähköposti\nÖberg;Åsa;asa@kund.example'],
  ['BambooHR', 'Employee #,"Last Name, First Name",Work Email,Job Title\n12,"Öberg, Åsa",asa@kund.example,Chef'],
  ['Workday', 'Employee ID,Legal First Name,Legal Last Name,Email - Primary Work\n12,Åsa,Öberg,asa@kund.example'],
  ['a Norwegian one', 'Ansattnr;Fornavn;Etternavn;E-postadresse\n12;Åsa;Öberg;asa@kund.example'],
  ['a Danish one', 'Fornavn;Efternavn;E-mail\nÅsa;Öberg;asa@kund.example'],
  ['a German one', 'Personalnummer;Nachname;Vorname;E-Mail-Adresse\n12;Öberg;Åsa;asa@kund.example'],
  ['a database, with bars', 'Förnamn|Efternamn|E-post\nÅsa|Öberg|asa@kund.example'],
  ['another, with bars and commas', 'Efternamn, förnamn|E-post\nÖberg, Åsa|asa@kund.example'],
  ['an old one, with bars', 'sep=|\nNamn|E-post\nÖberg, Åsa|asa@kund.example'],
])('an export of %s is read', (_, text) => {
  expect(only(text)).toMatchObject([asa])
})

describe('a whole name in one column', () => {
  test.each([
    ['Namn;E-post\nÖberg, Åsa;asa@kund.example', 'Åsa', 'Öberg'],
    ['Name,Email\nBo Ek,bo@kund.example', 'Bo', 'Ek'],
    ['Name,Email\n"Ek, Bo",bo@kund.example', 'Bo', 'Ek'],
    ['Visningsnamn;E-post\nAnna Maria Svensson;anna.svensson@kund.example', 'Anna Maria', 'Svensson'],
    ['Display name;Mail\nBo von Post;bo@kund.example', 'Bo', 'von Post'],
    ['Display name;Mail\nvon Post, Bo;bo@kund.example', 'Bo', 'von Post'],
    ['Namn;Mejl\nvon Post Bo;bo@kund.example', 'Bo', 'von Post'],
    ['Namn;Mejl\nEbba de la Gardie;x@kund.example', 'Ebba', 'de la Gardie'],
    ['Namn;Mejl\nÖberg Anna Maria;anna.oberg@kund.example', 'Anna Maria', 'Öberg'],
    ['Namn;Mejl\nÖberg, Åsa, Jr;x@kund.example', 'Åsa, Jr', 'Öberg'],
    ['Koko nimi;Sähköposti\nAino Virtanen;aino@kund.example', 'Aino', 'Virtanen'],
    ['Nom;Courriel\nMarie-Claire Dupont;mc@kund.example', 'Marie-Claire', 'Dupont'],
    ['Nom complet;Courriel\nDupont, Jean;jd@kund.example', 'Jean', 'Dupont'],
    ['Name,Email\nÖberg, Åsa,x@kund.example', 'Åsa', 'Öberg'],
    ['Öberg, Åsa,x@kund.example\nEk, Bo,bo@kund.example', 'Åsa', 'Öberg'],
    ['Last name, first name;Email\nÖberg, Åsa;x@kund.example', 'Åsa', 'Öberg'],
    ['Namn;Mejl\nPelé;pele@kund.example', 'Pelé', ''],
  ])('%j', (text, firstName, lastName) => {
    expect(only(text)[0]).toMatchObject({ firstName, lastName })
  })

  test('its parts are taken where the list has them, and the whole one is named', () => {
    const list = read('Namn;Förnamn;Efternamn;E-post\nChefen;Åsa;Öberg;asa@kund.example')
    expect(list.people[0]?.row).toMatchObject(asa)
    expect(list.ignored).toEqual(['Namn'])
  })
})

test.each(['bo@kund.example;', 'bo@kund.example,', 'bo@kund.example ;', '<bo@kund.example>;', 'bo@kund.example;;;'])(
  'the separator after %j is no part of it',
  (written) => {
    expect(only(written)).toMatchObject([{ email: 'bo@kund.example' }])
    expect(only(`Namn\tE-post\nBo Ek\t${written}`)).toMatchObject([bo])
  },
)

describe('what is no person is named', () => {
  test.each([
    'Antal: 2;;',
    'Summa;2;',
    'Totalt 2 personer;;',
    'Total;;2',
    ';;2',
    '2 rader;;',
    'Count: 2;;',
    'Yhteensä;2;',
    'Nombre : 2;;',
    '-----;;',
    'Utskrivet 2026-11-28 av Bo;;',
    'Sida 1 av 2;;',
    'Källa: Lön;;',
  ])('%s', (last) => {
    for (const header of ['E-post;Förnamn;Efternamn\n', '']) {
      const list = read(`${header}asa@kund.example;Åsa;Öberg\nbo@kund.example;Bo;Ek\n${last}`)
      expect(list.people.map(({ row }) => row)).toMatchObject([asa, bo])
      expect(list.leftOut).toEqual([last.split(';').filter(Boolean).join(' ')])
    }
  })

  test('a title above the header, too', () => {
    expect(read('Personallista 2026;;\n;;\nE-post;Förnamn;\nasa@kund.example;Åsa;').leftOut).toEqual([
      'Personallista 2026',
    ])
    expect(read('Personallista 2026\nasa@kund.example;Åsa;Öberg').leftOut).toEqual(['Personallista 2026'])
    expect(read('Personal\nasa@kund.example;Åsa;Öberg').people.at(-1)?.row).toMatchObject(asa)
  })

  test.each(['bo.kund.example;Bo;Ek', ';Bo;Ek', 'Bo Ek;;', 'bo2.kund.example;;', 'Antal;Bo;Ek', 'Page;Bo;'])(
    'somebody whose address is missing or wrong stays in the list: %s',
    (row) => {
      const list = read(`E-post;Förnamn;Efternamn\nasa@kund.example;Åsa;Öberg\n${row}`)
      expect(list.people).toHaveLength(2)
      expect(list.leftOut).toEqual([])
    },
  )
})
