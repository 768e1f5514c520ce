import {
  contactUs,
  productName,
  referenceId,
  reload,
  serverError,
  somethingWentWrong,
} from '#locales/sv/translation.json'

/** What the page can still say when not even its texts could be loaded; the bundler keeps only these. */
export const emergencyTexts = { contactUs, productName, referenceId, reload, serverError, somethingWentWrong }
