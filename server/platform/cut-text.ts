/** The first `length` UTF-16 units of a text. Half a sign at the end becomes U+FFFD: PostgreSQL's jsonb refuses it. */
export const cutText = (text: string, length: number): string => text.slice(0, length).toWellFormed()
