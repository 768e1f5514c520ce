/** A change of a text: what stands from `start` until `end` becomes `text`. */
export interface Change {
  start: number
  end: number
  text: string
}

interface Token extends Omit<Change, 'text'> {
  text: string
  depth: number
}

const pattern =
  /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|\$\w*\$|[a-z_][\w.]*|\d+(?:\.\d+)?|::|<>|<=|>=|[-=<>!~@#&|?]{1,3}|[()[\],;+*/]/giy
const space = /\s+/y

/** @param holes where values are put in, such as `${id}`: each is one token */
function tokenize(source: string, [from, until]: readonly [number, number], holes: readonly (readonly number[])[]) {
  const tokens: Token[] = []
  let depth = 0
  for (let at = from; at < until; ) {
    const hole = holes.find(([start]) => start === at)
    space.lastIndex = at
    pattern.lastIndex = at
    const blank = hole ? undefined : space.exec(source)?.[0]
    if (blank) {
      at += blank.length
      continue
    }
    const end = hole?.[1] ?? at + (pattern.exec(source)?.[0].length ?? 1)
    const text = source.slice(at, end)
    if (/^[)\]]$/.test(text)) depth--
    if (!text.startsWith('--')) tokens.push({ start: at, end, text: hole ? '$' : text.toLowerCase(), depth })
    if (/^[([]$/.test(text)) depth++
    at = end
  }
  return tokens
}

const stops = new Set(
  'and or where group order having union returning limit offset on then else end when for join left inner cross as loop using , ; $$'.split(
    ' ',
  ),
)
const flipped: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', true: 'false', false: 'true' }

/** Where a condition that begins at `index` ends: the next token that is no longer part of it. */
function endOfTerm(tokens: readonly Token[], index: number): number {
  const depth = tokens[index]?.depth ?? 0
  let cases = 0
  let between = false
  for (let at = index; at < tokens.length; at++) {
    const { text, depth: own } = tokens[at] as Token
    if (own > depth) continue
    if (own < depth) return at
    if (text === 'case') cases++
    else if (text === 'end' && cases > 0) cases--
    else if (text === 'between') between = true
    else if (text === 'and' && between) between = false
    else if (cases === 0 && stops.has(text) && !(text === 'left' && tokens[at + 1]?.text === '(')) return at
  }
  return tokens.length
}

/** The mutants of a text in SQL: a condition less, `not` less, a limit included or not, a number one more or less. */
export function mutateSql(
  source: string,
  range: readonly [number, number] = [0, source.length],
  holes: readonly (readonly number[])[] = [],
): Change[] {
  const tokens = tokenize(source, range, holes)
  const changes: Change[] = []
  const between = new Set<number>()
  tokens.forEach(({ text, start, end, depth }, index) => {
    const next = tokens[index + 1]
    if (text === 'between')
      between.add(tokens.findIndex((one, at) => at > index && one.text === 'and' && one.depth === depth))
    if ((text === 'and' || text === 'or') && next && !between.has(index)) {
      const last = tokens[endOfTerm(tokens, index + 1) - 1]
      if (last && last.start >= next.start && next.text !== 'replace') changes.push({ start, end: last.end, text: '' })
    }
    if (text === 'where' && next) {
      const after = endOfTerm(tokens, index + 1)
      const until = tokens[after]?.text === 'and' ? tokens[after] : undefined
      const last = tokens[after - 1]
      if (until) changes.push({ start: next.start, end: until.end + 1, text: '' })
      else if (last && last.start >= next.start) changes.push({ start: next.start, end: last.end, text: 'true' })
    }
    if (text === 'not' && next && next.text !== 'null' && !['is', 'default'].includes(tokens[index - 1]?.text ?? ''))
      if (['exists', '(', '$'].includes(next.text) || /^[a-z]/.test(next.text))
        changes.push({ start, end: next.start, text: '' })
    if (text === 'is' && next?.text === 'null') changes.push({ start: next.start, end: next.start, text: 'not ' })
    if (text === 'is' && next?.text === 'not') changes.push({ start: next.start, end: next.end + 1, text: '' })
    const other = flipped[text]
    if (other) changes.push({ start, end, text: other })
    if (/^\d+$/.test(text) && tokens[index - 1]?.end !== start && Number(text) < 1e9)
      changes.push({ start, end, text: String(Number(text) + 1) })
  })
  return changes
}

/** A view or a function of the schema: what `create or replace` can exchange. */
export interface Statement {
  name: string
  start: number
  end: number
}

/** The views and functions in a file of the schema. */
export function findStatements(source: string): Statement[] {
  const found: Statement[] = []
  for (const match of source.matchAll(/^create (view|function) (\w+)/gm)) {
    const start = match.index
    // A body in quotes has semicolons of its own.
    const quote = /\$\w*\$/g
    quote.lastIndex = start
    const body = quote.exec(source)
    const plain = source.indexOf(';\n', start)
    const close = body && body.index < plain ? source.indexOf(body[0], body.index + 2) : -1
    found.push({ name: match[2] ?? '', start, end: close < 0 ? plain + 1 : source.indexOf(';', close) + 1 })
  }
  return found
}
