import type swedish from '#locales/sv/translation.json'

/** A key of the locale files; a misspelled one does not compile. The Swedish file defines the keys. */
export type MessageKey = keyof typeof swedish

/** What each field of a form is called, wherever somebody reads of it. A field without a label does not compile. */
export type FieldLabels<Form> = Readonly<Record<Extract<keyof Form, string>, MessageKey>>
