import { publicErrors } from '#contract/sign-in-page.ts'

/** The texts that the light entry carries; the bundler takes these, and no others, out of each language's file. */
export const textKeys = [
  ...publicErrors,
  'back',
  'contactUs',
  'continue',
  'email',
  'errorTitlePrefix',
  'findingSignIn',
  'forgotPassword',
  'goHome',
  'language',
  'logInAgain',
  'networkError',
  'pageNotFound',
  'pageNotFoundText',
  'password',
  'productName',
  'referenceId',
  'requestRefused',
  'serverError',
  'sessionExpired',
  'sessionExpiredText',
  'showPassword',
  'signIn',
  'signInMethodMissing',
  'signOut',
  'signingOut',
  'skipToContent',
  'tooManyRequestsUntil',
  'tryAgain',
] as const

export type TextKey = (typeof textKeys)[number]
