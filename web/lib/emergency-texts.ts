import { genericErrorMessage, reload, serverError, somethingWentWrong, tryAgain } from '#locales/sv/translation.json'

/** What the page can still say when not even its texts could be loaded; the bundler keeps only these. */
export const emergencyTexts = { genericErrorMessage, reload, serverError, somethingWentWrong, tryAgain }
