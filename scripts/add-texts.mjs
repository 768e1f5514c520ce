// Adds or replaces texts in all four languages at once, so that no language is forgotten.
// Usage: node scripts/add-texts.mjs <<< '{"keyName": {"sv": "…", "en": "…", "fi": "…", "fr": "…"}, …}'
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { root } from './prepare.mjs'

const languages = ['sv', 'en', 'fi', 'fr']
const folder = join(root, 'locales')
const lock = join(folder, '.lock')
const input = readFileSync(0, 'utf8').trim()
if (!input) {
  console.error('Give {"key": {"sv": "…", "en": "…", "fi": "…", "fr": "…"}} on standard input.')
  process.exit(2)
}
const texts = JSON.parse(input)
for (const [key, byLanguage] of Object.entries(texts)) {
  if (!/^[a-z][A-Za-z0-9]*(_(zero|one|two|few|many|other))?$/.test(key)) throw new Error(`${key} is not flat camelCase`)
  for (const language of languages)
    if (typeof byLanguage[language] !== 'string' || !byLanguage[language].trim())
      throw new Error(`${key} lacks ${language}`)
}

/** French has a no-break space before these marks, which nobody sees while typing. */
const typeset = (text, language) => (language === 'fr' ? text.replaceAll(/ (?=[:;?!»])|(?<=«) /g, '\u00A0') : text)

/** Runs under a lock, so that concurrent runs do not overwrite each other; a stale lock expires after ten seconds. */
async function locked(write) {
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx'))
      break
    } catch {
      if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) > 10_000) rmSync(lock, { force: true })
      await pause(50)
    }
  }
  try {
    write()
  } finally {
    rmSync(lock, { force: true })
  }
}

await locked(() => {
  for (const language of languages) {
    const file = join(folder, language, 'translation.json')
    const present = JSON.parse(readFileSync(file, 'utf8'))
    for (const [key, byLanguage] of Object.entries(texts)) present[key] = typeset(byLanguage[language], language)
    const sorted = Object.fromEntries(Object.entries(present).sort(([a], [b]) => (a < b ? -1 : 1)))
    writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
  }
})
