import { Problem } from '#server/platform/problem.ts'

/** One condition of a filter: an attribute, in lower case, has this value. */
export interface Term {
  attribute: string
  /** Of `emails[type eq "work"].value`. */
  type?: string
  value: string | boolean
}

const literal = String.raw`("(?:[^"\\]|\\.)*"|true|false)`
const term = new RegExp(
  String.raw`^\s*(\w[\w.:]*)(?:\[\s*type\s+eq\s+("(?:[^"\\]|\\.)*")\s*\](?:\.(\w+))?)?\s+eq\s+${literal}\s*`,
  'i',
)
const maxLength = 1000

/**
 * Reads a filter: conditions with `eq`, joined by `and`, which is what directories ask. Which attributes count is for the
 * caller to say.
 *
 * @throws Problem 400 `scimInvalidFilter` for anything else
 */
export function readFilter(written: unknown): Term[] {
  if (written === undefined || written === '') return []
  const refuse = () => new Problem(400, 'scimInvalidFilter')
  if (typeof written !== 'string' || written.length > maxLength) throw refuse()
  const terms: Term[] = []
  let rest = written
  for (;;) {
    const [whole, attribute = '', type, part, value = ''] = term.exec(rest) ?? []
    if (whole === undefined) throw refuse()
    terms.push({
      attribute: (part === undefined ? attribute : `${attribute}.${part}`).toLowerCase(),
      ...(type !== undefined && { type: parsed(type, refuse) as string }),
      value: parsed(value, refuse),
    })
    rest = rest.slice(whole.length)
    if (rest === '') return terms
    const and = /^and\s+/i.exec(rest)
    if (!and) throw refuse()
    rest = rest.slice(and[0].length)
  }
}

function parsed(text: string, refuse: () => Problem): string | boolean {
  try {
    return JSON.parse(text.startsWith('"') ? text : text.toLowerCase()) as string | boolean
  } catch {
    throw refuse()
  }
}
