/** A demo user. The e-mail address is derived from the name unless given. */
export interface DemoPerson {
  firstName: string
  lastName: string
  email?: string
  role?: 'organizationAdmin'
  /** The service that this person administers. */
  serviceAdminOf?: string
  services?: readonly string[]
  /** Date of birth; the personal number is that day's first number of the official test series (serial 238). */
  born?: string
  phoneNumber?: string
  preferredLanguage?: 'sv' | 'en' | 'fi' | 'fr'
  /** Has not accepted the invitation yet, so has no account. */
  invited?: true
  /** Days since the person was last active. */
  lastSeen?: number
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

export const emailOf = ({ email, firstName, lastName }: DemoPerson, mailDomain: string): string =>
  email ?? `${ascii(firstName)}.${ascii(lastName)}@${mailDomain}`

const ascii = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/[^a-zA-Z]/g, '')
    .toLowerCase()
