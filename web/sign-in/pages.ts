import type { ComponentType } from 'react'
import type { PublicPage } from '#contract/sign-in-page.ts'
import { AcceptInvitationPage } from './accept-invitation-page.tsx'
import { LogoutPage } from './logout-page.tsx'
import { NewPasswordPage } from './new-password-page.tsx'
import { PasswordPage } from './password-page.tsx'
import { NotFoundPage, RefusedPage, ServerErrorPage } from './problem-pages.tsx'
import { ResetPasswordPage } from './reset-password-page.tsx'
import { SessionExpiredPage } from './session-expired-page.tsx'
import { SignInPage } from './sign-in-page.tsx'
import type { TextKey } from './text-keys.ts'

interface PageEntry {
  Page: ComponentType
  /** The h1 and the window's title. */
  title: TextKey
  /** Comes with an `error` that is something to correct, so that its title says so. */
  form?: true
  /** A call that the page makes at once: the browser starts it before the script has arrived. */
  preload?: string
}

/** Every page of the light entry; a new one is a file, its name in the contract, and a line here. */
export const pages: Record<PublicPage, PageEntry> = {
  'sign-in': { Page: SignInPage, title: 'signIn', form: true },
  password: { Page: PasswordPage, title: 'signIn', form: true, preload: '/api/authType?email=%emailParameter%' },
  'session-expired': { Page: SessionExpiredPage, title: 'sessionExpired' },
  'accept-invitation': { Page: AcceptInvitationPage, title: 'acceptInvitation' },
  'reset-password': { Page: ResetPasswordPage, title: 'resetPassword' },
  'new-password': { Page: NewPasswordPage, title: 'newPasswordTitle' },
  logout: { Page: LogoutPage, title: 'signOut' },
  'not-found': { Page: NotFoundPage, title: 'pageNotFound' },
  refused: { Page: RefusedPage, title: 'requestRefused' },
  'server-error': { Page: ServerErrorPage, title: 'serverError' },
}
