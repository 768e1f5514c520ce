const swedish = {
  title: 'Katalogen',
  intro:
    'Den här sidan står för organisationens egen katalog, som Entra ID eller Okta. Den finns bara i demon. Det du gör här skickar den till portalen med SCIM 2.0.',
  add: 'Lägg till någon',
  givenName: 'Förnamn',
  familyName: 'Efternamn',
  email: 'E-postadress',
  people: 'Personer i katalogen',
  nobody: 'Katalogen har inte skickat någon än.',
  change: 'Ändra namn',
  changeOf: 'Ändra namn på',
  save: 'Spara',
  disable: 'Inaktivera',
  enable: 'Aktivera',
  active: 'Aktiv',
  inactive: 'Inaktiv',
  sent: 'Skickat till portalen',
  nothingSent: 'Inget ännu.',
  answer: 'Svar',
  noAnswer: 'Portalen svarar inte katalogen. Dess nyckel kan ha återkallats: starta om demon.',
  portal: 'Se vad portalen gjorde av det',
}
type Texts = typeof swedish

const english: Texts = {
  title: 'The directory',
  intro:
    "This page stands for the organisation's own directory, such as Entra ID or Okta. It exists in the demo only. It sends what you do here to the portal by SCIM 2.0.",
  add: 'Add somebody',
  givenName: 'First name',
  familyName: 'Last name',
  email: 'Email address',
  people: 'People in the directory',
  nobody: 'The directory has not sent anybody yet.',
  change: 'Change name',
  changeOf: 'Change name of',
  save: 'Save',
  disable: 'Disable',
  enable: 'Enable',
  active: 'Active',
  inactive: 'Inactive',
  sent: 'Sent to the portal',
  nothingSent: 'Nothing yet.',
  answer: 'Answer',
  noAnswer: 'The portal does not answer the directory. Its token may have been revoked: restart the demo.',
  portal: 'See what the portal made of it',
}

export const directoryTexts = { sv: swedish, en: english }
export type DirectoryLanguage = keyof typeof directoryTexts
