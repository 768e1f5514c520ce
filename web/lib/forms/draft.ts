/** What is known of something: all of it, a part, or nothing. */
export type Known<Draft> = { readonly [Name in keyof Draft]?: Draft[Name] | null | undefined }

/**
 * A draft of what is known: what is null or missing there has the value of an empty field. So a text that may be missing
 * is '' in its field, and null again in what `optionalText` makes of it.
 */
export function draftFrom<Draft extends object>(blank: Draft, known: NoInfer<Known<Draft>>): Draft {
  const names = Object.keys(blank) as (keyof Draft)[]
  return Object.fromEntries(names.map((name) => [name, known[name] ?? blank[name]])) as Draft
}
