import type { Problem } from '#server/platform/problem.ts'

type Sign = '(' | ')' | '[' | ']'
/** A part of a filter or a path: a sign, a text in quotes, or a word: a name, an operator, a number. */
type Token = { sign: Sign } | { text: string } | { word: string }

/** A filter or path that is being read, from left to right. */
export interface Tokens {
  /** The word that comes next, in lower case; undefined for anything else. */
  nextWord: () => string | undefined
  /** Takes the next token if it is this sign. */
  take: (sign: Sign) => boolean
  /** Takes the word that comes next, as it is written. @throws what `refuse` gives */
  word: () => string
  /** Takes a literal: a text, a number, true, false or null. @throws what `refuse` gives */
  literal: () => string | number | boolean | null
  isAtEnd: () => boolean
  refuse: () => Problem
}

/** Of a filter and of a path, in characters. */
const maxLength = 1000
// Each character is looked at once: no part of the pattern can begin where another one has ended.
const pattern = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/sy

/** @throws what `refuse` gives, for a text that is too long, and for one with an open quote */
export function readTokens(written: string, refuse: () => Problem): Tokens {
  if (written.length > maxLength) throw refuse()
  const tokens = [...split(written.trim(), refuse)]
  let at = 0
  const next = () => tokens[at++] ?? fail(refuse)
  const nextWord = () => {
    const token = tokens[at]
    return token && 'word' in token ? token.word.toLowerCase() : undefined
  }
  return {
    nextWord,
    take: (sign) => {
      const token = tokens[at]
      const isIt = token !== undefined && 'sign' in token && token.sign === sign
      if (isIt) at++
      return isIt
    },
    word: () => {
      const token = next()
      return 'word' in token ? token.word : fail(refuse)
    },
    literal: () => {
      const token = next()
      if ('text' in token) return token.text
      return 'word' in token ? readLiteral(token.word, refuse) : fail(refuse)
    },
    isAtEnd: () => at === tokens.length,
    refuse,
  }
}

function* split(text: string, refuse: () => Problem): Generator<Token> {
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at
    const [, sign, quoted, word] = pattern.exec(text) ?? fail(refuse)
    if (sign !== undefined) yield { sign: sign as Sign }
    else if (quoted !== undefined) yield { text: asJson(quoted, refuse) as string }
    else if (word !== undefined) yield { word }
  }
}

/** Texts are as in JSON; the words have any case, as Entra writes them. */
function readLiteral(word: string, refuse: () => Problem): number | boolean | null {
  const lower = word.toLowerCase()
  if (/^(true|false|null|-?[0-9][0-9.e+-]*)$/.test(lower)) return asJson(lower, refuse) as number | boolean | null
  return fail(refuse)
}

function asJson(text: string, refuse: () => Problem): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return fail(refuse)
  }
}

function fail(refuse: () => Problem): never {
  throw refuse()
}
