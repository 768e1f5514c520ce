import type { ServiceLanguage } from './service.ts'

const swedish = {
  throughPortal: 'Det här fick tjänsten veta',
  person: 'Namn',
  email: 'E-postadress',
  organization: 'Organisation',
  role: 'Roll',
  method: 'Inloggningsmetod',
  time: 'Loggade in',
  user: 'Användare',
  organizationAdmin: 'Administratör',
  serviceAdmin: 'Tjänsteadministratör',
  none: 'Ingen',
  pwd: 'Lösenord',
  mail: 'Lösenord och kod via e-post',
  sms: 'Lösenord och kod via sms',
  swk: 'BankID',
  fed: 'Organisationens inloggning',
  signOut: 'Logga ut',
  signIn: 'Logga in',
  portal: 'Till portalen',
  signedOut: 'Du är utloggad',
  signedOutText: 'Både här och i portalen. Inget finns kvar av din inloggning.',
  refused: 'Du har inte tillgång',
  refusedText: 'Portalen släpper bara in den som har fått den här tjänsten. Be en administratör i din organisation.',
  failed: 'Inloggningen gick inte',
  failedText: 'Den tog för lång tid eller avbröts. Försök igen.',
  demo: 'En påhittad tjänst i demon. Den känner bara till det som portalen berättade med OpenID Connect.',
  services: 'Demons tjänster',
}
type Texts = typeof swedish

const english: Texts = {
  throughPortal: 'What the service was told',
  person: 'Name',
  email: 'Email address',
  organization: 'Organisation',
  role: 'Role',
  method: 'Sign-in method',
  time: 'Signed in',
  user: 'User',
  organizationAdmin: 'Admin',
  serviceAdmin: 'Service admin',
  none: 'None',
  pwd: 'Password',
  mail: 'Password and code by email',
  sms: 'Password and code by text message',
  swk: 'BankID',
  fed: 'Organisation sign-in',
  signOut: 'Sign out',
  signIn: 'Sign in',
  portal: 'To the portal',
  signedOut: 'You are signed out',
  signedOutText: 'Both here and in the portal. Nothing of your sign-in is left.',
  refused: 'You do not have access',
  refusedText: 'The portal only lets in people who have been given this service. Ask an admin of your organisation.',
  failed: 'The sign-in did not work',
  failedText: 'It took too long or was interrupted. Try again.',
  demo: 'A made-up service of the demo. It knows only what the portal told it by OpenID Connect.',
  services: 'Services of the demo',
}

export const serviceTexts: Record<ServiceLanguage, Texts> = { sv: swedish, en: english }

/** The method that an `amr` stands for (docs/services.md). */
export function methodText(amr: readonly string[], language: ServiceLanguage): string {
  const texts = serviceTexts[language]
  if (amr.includes('fed')) return texts.fed
  if (amr.includes('swk')) return texts.swk
  if (amr.includes('sms')) return texts.sms
  return amr.includes('otp') ? texts.mail : texts.pwd
}

/** @param locale what the person chose in the portal; before the sign-in the browser's languages decide */
export const serviceLanguage = (locale: string | undefined, acceptLanguage: string | undefined): ServiceLanguage =>
  /^sv\b/i.test(locale ?? acceptLanguage ?? 'sv') ? 'sv' : 'en'
