import type { ComponentType } from 'react'
import type { Language } from '#contract/languages.ts'
import type { PublicPage } from '#contract/sign-in/sign-in-page.ts'
import type { TextKey } from './frame/text-keys.ts'
import { LogoutPage } from './messages/logout-page.tsx'
import { NotFoundPage, RefusedPage, ServerErrorPage } from './messages/problem-pages.tsx'
import { SessionExpiredPage } from './messages/session-expired-page.tsx'
import { PasswordPage } from './password/password-page.tsx'
import { SignInPage } from './password/sign-in-page.tsx'

interface PageEntry {
  load: (language: Language) => Promise<ComponentType>
  /** The file of a page with a chunk of its own: the sign-in does not load it, and its own page preloads it. */
  part?: string
  /** The h1 and the window's title. */
  title: TextKey
  /** Comes with an `error` that is something to correct, so that its title says so. */
  form?: true
  /** A call that the page makes at once: the browser starts it before the script has arrived. */
  preload?: string
}

/** Every page of the light entry; a new one is a file, its name in the contract, and a line here. */
export const pages: Record<PublicPage, PageEntry> = {
  'sign-in': { load: async () => SignInPage, title: 'signIn', form: true },
  password: {
    load: async () => PasswordPage,
    title: 'signIn',
    form: true,
    preload: '/api/authType?email=%emailParameter%',
  },
  'session-expired': { load: async () => SessionExpiredPage, title: 'sessionExpired' },
  'accept-invitation': {
    load: async () => (await import('./invitation/accept-invitation-page.tsx')).AcceptInvitationPage,
    part: 'invitation/accept-invitation-page.tsx',
    title: 'acceptInvitation',
  },
  'saml-setup': {
    load: async () => (await import('./saml-setup/setup-page.tsx')).SetupPage,
    part: 'saml-setup/setup-page.tsx',
    title: 'samlSetup',
  },
  'saml-message': {
    load: async () => (await import('./company/saml-message-page.tsx')).SamlMessagePage,
    part: 'company/saml-message-page.tsx',
    title: 'samlMessageTitle',
  },
  'reset-password': {
    load: async () => (await import('./reset-password/reset-password-page.tsx')).ResetPasswordPage,
    part: 'reset-password/reset-password-page.tsx',
    title: 'resetPassword',
  },
  'new-password': {
    load: async () => (await import('./reset-password/new-password-page.tsx')).NewPasswordPage,
    part: 'reset-password/new-password-page.tsx',
    title: 'newPasswordTitle',
  },
  'signed-out': {
    load: async () => (await import('./messages/signed-out-page.tsx')).SignedOutPage,
    part: 'messages/signed-out-page.tsx',
    title: 'signedOut',
    preload: '/signed-out/services',
  },
  logout: { load: async () => LogoutPage, title: 'signOut' },
  privacy: {
    load: async (language) => (await import('./policies/privacy-page.tsx')).loadPrivacyPage(language),
    part: 'policies/privacy-page.tsx',
    title: 'privacyTitle',
  },
  'not-me': {
    load: async (language) => (await import('./not-me/not-me-page.tsx')).loadNotMePage(language),
    part: 'not-me/not-me-page.tsx',
    title: 'notMeTitle',
  },
  'not-me-done': {
    load: async (language) => (await import('./not-me/not-me-done-page.tsx')).loadNotMeDonePage(language),
    part: 'not-me/not-me-done-page.tsx',
    title: 'notMeDoneTitle',
  },
  kept: {
    load: async (language) => (await import('./policies/kept-page.tsx')).loadKeptPage(language),
    part: 'policies/kept-page.tsx',
    title: 'keptTitle',
  },
  accessibility: {
    load: async (language) => (await import('./policies/accessibility-page.tsx')).loadAccessibilityPage(language),
    part: 'policies/accessibility-page.tsx',
    title: 'accessibilityTitle',
  },
  'not-found': { load: async () => NotFoundPage, title: 'pageNotFound' },
  refused: { load: async () => RefusedPage, title: 'requestNotAccepted' },
  'server-error': { load: async () => ServerErrorPage, title: 'serverError' },
}
