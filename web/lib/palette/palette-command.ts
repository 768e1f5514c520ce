import type { Command } from '#web/ui/command/command-list.tsx'

/** Something that the palette offers. */
export interface PaletteCommand extends Command {
  run: () => void
  /** Words under which it is found besides its label and its hint. */
  words?: string | undefined
}

/** The typed text as words in small letters; nothing for blanks. */
export const wordsOf = (text: string, language: string): string[] =>
  text.normalize('NFC').toLocaleLowerCase(language).split(/\s+/).filter(Boolean)

/** Those in which every word occurs, those that begin with the first one first. */
export function matchingCommands(commands: readonly PaletteCommand[], words: readonly string[], language: string) {
  const small = (text: string) => text.normalize('NFC').toLocaleLowerCase(language)
  const found = commands.filter(({ label, hint = '', words: more = '' }) => {
    const text = small(`${label} ${hint} ${more}`)
    return words.every((word) => text.includes(word))
  })
  const [first = ''] = words
  const begins = ({ label }: PaletteCommand) => small(label).startsWith(first)
  return [...found.filter(begins), ...found.filter((command) => !begins(command))]
}
