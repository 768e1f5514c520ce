import { childElementsNamed, getAttribute, getText, onlyChild, optionalChild, type XmlElement } from './xml.ts'

/** What an identity provider calls a person and a session of its own. */
export interface SamlSubject {
  nameId: string
  format: string | undefined
  nameQualifier: string | undefined
  spNameQualifier: string | undefined
  sessionIndex: string | undefined
}

/** Whom a signed assertion says was signed in; undefined where it names nobody. */
export function readSubject(assertion: XmlElement): SamlSubject | undefined {
  const name = optionalChild(onlyChild(assertion, 'assertion', 'Subject'), 'assertion', 'NameID')
  const [statement] = childElementsNamed(assertion, 'assertion', 'AuthnStatement')
  const nameId = name && getText(name)
  if (!name || !nameId) return undefined
  return {
    nameId,
    format: getAttribute(name, 'Format'),
    nameQualifier: getAttribute(name, 'NameQualifier'),
    spNameQualifier: getAttribute(name, 'SPNameQualifier'),
    sessionIndex: statement && getAttribute(statement, 'SessionIndex'),
  }
}
