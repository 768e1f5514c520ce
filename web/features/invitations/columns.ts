import type { OrganizationRole } from '#contract/roles.ts'

/** In the order in which they are expected when nothing names them. */
export const columns = ['email', 'firstName', 'lastName', 'services', 'userRole'] as const
export type ColumnName = (typeof columns)[number]

// What people call the columns of their lists, in the four languages; input that is understood, never shown.
const namesOf: Record<ColumnName, string> = {
  email:
    'email emailaddress mail epost epostadress mejl mejladress sähköposti sähköpostiosoite courriel adressemail ' +
    'adresseemail adresseélectronique',
  firstName: 'firstname givenname förnamn tilltalsnamn etunimi prénom prenom',
  lastName: 'lastname surname familyname efternamn sukunimi nom nomdefamille',
  services: 'services service tjänster tjänst palvelut palvelu',
  userRole: 'role userrole roll behörighet rooli rôle role',
}

const namesOfRole: Record<OrganizationRole, string> = {
  regular: 'regular user member användare medlem käyttäjä jäsen utilisateur utilisatrice membre',
  organizationAdmin:
    'organizationadmin admin administrator organisationadmin organisationsadministratör administratör ylläpitäjä ' +
    'pääkäyttäjä administrateur administratrice',
}

/** Without case, blanks and signs: `E-post adress` is `epostadress`. */
const folded = (text: string) =>
  text
    .normalize('NFC')
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

/** Which column a header means, if it is one that is known. */
export const columnOf = (header: string): ColumnName | undefined => columnByWord.get(folded(header))

/** The role that a word means; a word that nobody knows stays, for the server to refuse it. */
export const roleOf = (word: string): string => roleByWord.get(folded(word)) ?? word.trim()
