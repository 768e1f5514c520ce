/** A demo user. The e-mail address is derived from the name unless given. */
export interface DemoPerson {
  firstName: string
  lastName: string
  email?: string
  role?: 'organizationAdmin'
  /** The service that this person administers. */
  serviceAdminOf?: string
  /** A role of its own in a service, by the name of the service. */
  serviceRoles?: Readonly<Record<string, string>>
  services?: readonly string[]
  /** Date of birth; the personal number is that day's first number of the official test series (serial 238). */
  born?: string
  phoneNumber?: string
  /** The secret of an authenticator app, in base 32. */
  app?: string
  preferredLanguage?: 'sv' | 'en' | 'fi' | 'fr'
  /** The membership ends after so many days. */
  endsIn?: number
  /** Has not accepted the invitation yet, so has no account. */
  invited?: true
  /** The invitation could not be delivered. */
  undeliverable?: true
  /** Away for so long that the account became passive. */
  passive?: true
  /** Days since the person was last active. */
  lastSeen?: number
}

const firstFictional = 605

/** A number of the Swedish series 070-1740605 to 070-1740699, which the telecom authority PTS keeps for fiction. */
export function fictionalPhone(index: number): string {
  if (index < 0 || index > 94) throw new RangeError('the series has 95 numbers')
  return `+46701740${firstFictional + index}`
}

export const firstNames =
  'Anna Björn Cecilia David Elin Fredrik Gunilla Henrik Ingrid Johan Karin Lars Maria Nils Olivia Per Rebecka Stefan Therese Ulf Viktoria William Ylva Åsa Ärla Örjan'.split(
    ' ',
  )
export const lastNames =
  'Andersson Berg Carlsson Dahl Ek Forsberg Gustafsson Holm Isaksson Johansson Karlsson Lindqvist Månsson Nyström Olofsson Persson Rosén Söderberg Åberg Öberg'.split(
    ' ',
  )
const services = ['Journal', 'Bokning', 'Lön', 'Arkiv']

/**
 * Generates further users of an organisation, the same on every start.
 *
 * @param from the offset into the list of names, so that the organisations differ
 */
export function colleagues(count: number, from: number): DemoPerson[] {
  return Array.from({ length: count }, (_, index) => {
    const n = from + index
    const person: DemoPerson = {
      firstName: firstNames[n % firstNames.length] ?? '',
      lastName: lastNames[(n * 7) % lastNames.length] ?? '',
      // Every seventh user has no service; the others have one to three.
      services: index % 7 === 6 ? [] : services.filter((_service, which) => (n + which) % 4 <= index % 3),
      born: `19${60 + (n % 38)}${String(1 + (n % 12)).padStart(2, '0')}${String(1 + ((n * 5) % 28)).padStart(2, '0')}`,
      lastSeen: (n * 11) % 150,
    }
    if (index % 9 === 4) person.invited = true
    return person
  })
}

// Other names than above, so that a search for somebody finds one person.
const staffFirstNames =
  'Agnes Albin Alma Axel Beata Birger Dagny Edvin Ellen Erik Filippa Gustav Hanna Hugo Ida Isak Jonna Kalle Linnea Love Moa Oskar Signe Sixten Tuva'.split(
    ' ',
  )
const staffLastNames =
  'Alm Blom Borg Bäck Edström Falk Granath Hallberg Hedin Kvist Lilja Lundgren Moberg Norling Palm Rask Sjöholm Sundin Viklund Wallin Öhman'.split(
    ' ',
  )

/** @param n which of 525 different names */
const staffName = (n: number) => ({
  firstName: staffFirstNames[n % staffFirstNames.length] ?? '',
  lastName: staffLastNames[n % staffLastNames.length] ?? '',
})

/** The people of the large organisation; most of them were there this week. */
export function staff(count: number, names: readonly string[]): DemoPerson[] {
  return Array.from({ length: count }, (_, n) => ({
    ...staffName(n),
    // Everyone has the first one; of the others about a third.
    services: names.filter((_name, which) => which === 0 || (n * 3 + which * 7) % 10 < 3),
    lastSeen: n % 4 === 0 ? (n * 7) % 45 : (n * 3) % 5,
    ...(n % 3 === 0 ? { phoneNumber: fictionalPhone(20 + n / 3) } : {}),
    ...(n % 48 === 47 ? { invited: true as const } : {}),
    ...(n === 95 ? { undeliverable: true as const } : {}),
  }))
}

/** People who were last active so many days ago; passive from `passiveAfter` days on. */
export const awayFor = (days: readonly number[], passiveAfter: number): DemoPerson[] =>
  days.map((lastSeen, n) => ({
    ...staffName(300 + n),
    services: ['Journal', 'Schema'],
    lastSeen,
    ...(lastSeen >= passiveAfter ? { passive: true as const } : {}),
  }))

export const emailOf = ({ email, firstName, lastName }: DemoPerson, mailDomain: string): string =>
  email ?? `${ascii(firstName)}.${ascii(lastName)}@${mailDomain}`

const ascii = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/[^a-zA-Z]/g, '')
    .toLowerCase()
