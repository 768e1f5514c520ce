import type { OrganizationRole } from '#contract/roles.ts'

/** The order of the columns when the list has no header. */
export const columns = ['email', 'firstName', 'lastName', 'services', 'userRole'] as const
/** A header may also name groups, and the first and the last day. */
export type ColumnName = (typeof columns)[number] | 'groups' | 'validFrom' | 'validUntil'

// Accepted header names in the four languages; used only to read a list, never shown.
const namesOf: Record<ColumnName, string> = {
  email:
    'email emailaddress emailadress mail mailaddress mailadress epost epostadress mejl mejladress sähköposti sähköpostiosoite courriel adressemail ' +
    'adresseemail adresseélectronique',
  firstName: 'firstname givenname förnamn fornamn tilltalsnamn etunimi prénom prenom',
  lastName: 'lastname surname familyname efternamn sukunimi nom nomdefamille',
  services: 'services service tjänster tjanster tjänst palvelut palvelu',
  groups: 'groups group grupper grupp ryhmät ryhmä groupes groupe',
  validFrom: 'firstday validfrom förstadag forstadag frånochmed ensimmäinenpäivä premierjour',
  validUntil: 'lastday validuntil sistadag tillochmed viimeinenpäivä dernierjour',
  userRole: 'role userrole roll behörighet rooli rôle role',
}

const namesOfRole: Record<OrganizationRole, string> = {
  regular: 'regular user member användare medlem käyttäjä jäsen utilisateur utilisatrice membre',
  organizationAdmin:
    'organizationadmin admin administrator organisationadmin organisationsadministratör administratör ylläpitäjä ' +
    'pääkäyttäjä administrateur administratrice',
}

/** Lower case, letters only: `E-post adress` becomes `epostadress`. */
const folded = (text: string) =>
  text
    .normalize('NFC')
    // Google Workspace: `Email Address [Required]`.
    .replaceAll(/\[[^\]]*\]/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '')

const lookup = <Name extends string>(names: Record<Name, string>) =>
  new Map(
    (Object.entries(names) as [Name, string][]).flatMap(([name, words]) =>
      words.split(' ').map((word): [string, Name] => [word, name]),
    ),
  )

const columnByWord = lookup(namesOf)
const roleByWord = lookup(namesOfRole)

/** The column that a header names; undefined when it is unknown. */
export const columnOf = (header: string): ColumnName | undefined => columnByWord.get(folded(header))

/** The role that a word names. An unknown word is passed on, and the server rejects it. */
export const roleOf = (word: string): string => roleByWord.get(folded(word)) ?? word.trim()
