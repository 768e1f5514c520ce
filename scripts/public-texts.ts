import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'
import { bankIdTextKeys, textKeys } from '../web/sign-in/frame/text-keys.ts'

const name = /^virtual:(public|bankid)-texts\/(\w+)$/
const resolved = /^\0virtual:(public|bankid)-texts\/(\w+)$/

/**
 * `virtual:public-texts/sv`: the texts of the sign-in entry, selected from the language's file;
 * `virtual:bankid-texts/sv`: those of the BankID step.
 */
export function publicTexts(): Plugin {
  return {
    name: 'public-texts',
    resolveId: { filter: { id: name }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: resolved },
      async handler(id) {
        const [, part, language] = id.match(resolved) ?? []
        const file = new URL(`../locales/${language}/translation.json`, import.meta.url).pathname
        this.addWatchFile(file)
        const texts: Record<string, string> = JSON.parse(await readFile(file, 'utf8'))
        const keys = part === 'bankid' ? bankIdTextKeys : textKeys
        const carried = Object.fromEntries(keys.map((key) => [key, texts[key]]))
        return `export default ${JSON.stringify(carried)}`
      },
    },
  }
}
