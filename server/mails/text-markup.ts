import { isAlone, placeholdersIn, webLink } from '#contract/email-templates/template-texts.ts'
import type { Block, Span } from './template.ts'

/** What placeholders stand for: words within a text, and blocks on a line of their own. */
export interface PlaceholderValues {
  words: Readonly<Record<string, string>>
  /** Undefined where there is nothing to show, such as no message of the inviter. */
  blocks: Readonly<Record<string, Block | undefined>>
}

/** Reads the markup of a super user's text. Values are inserted afterwards, so no value is read as markup. */
export function readMarkup(body: string, values: PlaceholderValues): Block[] {
  return paragraphsOf(body).flatMap((lines): Block[] => {
    const [first = ''] = lines
    const [name = ''] = isAlone(first) ? placeholdersIn(first) : []
    if (name in values.blocks) {
      const block = values.blocks[name]
      return block ? [block] : []
    }
    if (lines.every((line) => /^\s*- /.test(line)))
      return [{ kind: 'bullets', items: lines.map((line) => spansOf(line.replace(/^\s*- /, ''), values)) }]
    return [{ kind: 'rich', lines: lines.map((line) => spansOf(line, values)) }]
  })
}

/** Groups lines: a blank line ends a paragraph, a placeholder alone on its line is one, and so is a list. */
function paragraphsOf(body: string): string[][] {
  const groups: string[][] = []
  let kind = ''
  for (const line of body.split('\n')) {
    const next = line.trim() === '' ? 'blank' : isAlone(line) ? 'alone' : /^\s*- /.test(line) ? 'list' : 'text'
    if (next !== 'blank') {
      if (next !== kind || next === 'alone') groups.push([])
      groups.at(-1)?.push(line)
    }
    kind = next
  }
  return groups
}

const bold = /\*\*(.+?)\*\*/g

const spansOf = (line: string, { words }: PlaceholderValues): Span[] =>
  splitBy(
    line,
    webLink,
    ([, label = '', link = '']) => [{ text: fillPlaceholders(label, words), link }],
    (rest) =>
      splitBy(
        rest,
        bold,
        ([, strong = '']) => [{ text: fillPlaceholders(strong, words), bold: true }],
        (text) => [{ text: fillPlaceholders(text, words) }],
      ),
  )

/** Turns what matches into spans, and what is between it with `other`. */
function splitBy(
  text: string,
  pattern: RegExp,
  matched: (match: RegExpMatchArray) => Span[],
  other: (text: string) => Span[],
): Span[] {
  const spans: Span[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) spans.push(...other(text.slice(end, match.index)))
    spans.push(...matched(match))
    end = match.index + match[0].length
  }
  return end < text.length ? [...spans, ...other(text.slice(end))] : spans
}

/** Replaces placeholders by their words. */
export const fillPlaceholders = (text: string, words: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => words[name] ?? whole)
