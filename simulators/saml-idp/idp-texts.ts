const swedish = {
  intro: 'Den här sidan står för organisationens egen inloggning. Den finns bara i demon, och tror på allt man säger.',
  who: 'Logga in som',
  other: 'Någon annan',
  email: 'E-postadress',
  ssn: 'Personnummer (frivilligt)',
  signIn: 'Logga in',
  cancel: 'Avbryt',
  goingBack: 'Går tillbaka till portalen …',
  continue: 'Fortsätt',
  nothingAsked: 'Ingen har bett om en inloggning här. Börja i portalen.',
}
type Texts = typeof swedish

const english: Texts = {
  intro:
    "This page stands for the organisation's own sign-in. It exists in the demo only, and believes whatever it is told.",
  who: 'Sign in as',
  other: 'Somebody else',
  email: 'E-mail address',
  ssn: 'Personal identity number (optional)',
  signIn: 'Sign in',
  cancel: 'Cancel',
  goingBack: 'Going back to the portal…',
  continue: 'Continue',
  nothingAsked: 'Nobody asked for a sign-in here. Begin in the portal.',
}

export const idpTexts = { sv: swedish, en: english }
export type IdpLanguage = keyof typeof idpTexts

/** The browser's preferred language. */
export const languageFor = (acceptLanguage: string | undefined): IdpLanguage =>
  acceptLanguage && !/^sv\b/i.test(acceptLanguage) ? 'en' : 'sv'
