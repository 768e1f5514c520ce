import type swedish from '#locales/sv/translation.json'

/** A key of the texts; a misspelled one does not compile. Swedish is the source: its file names every key. */
export type MessageKey = keyof typeof swedish
