import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { policyTextKeys } from '../web/sign-in/frame/policy-text-keys.ts'
import { setupTextKeys } from '../web/sign-in/frame/setup-text-keys.ts'
import { bankIdTextKeys, textKeys } from '../web/sign-in/frame/text-keys.ts'

const keysOf: Record<string, readonly string[]> = {
  public: textKeys,
  bankid: bankIdTextKeys,
  policy: policyTextKeys,
  setup: setupTextKeys,
}
const name = /^virtual:(public|bankid|policy|setup)-texts\/(\w+)$/
const resolved = /^\0virtual:(public|bankid|policy|setup)-texts\/(\w+)$/

/**
 * `virtual:public-texts/sv`: the texts of the sign-in entry, selected from the language's file;
 * `virtual:bankid-texts/sv`: those of the BankID step; `virtual:policy-texts/sv`: those of the pages of text; `virtual:setup-texts/sv`: those of the
 * page for the IT of an organisation.
 */
export function publicTexts(): Plugin {
  return {
    name: 'public-texts',
    resolveId: { filter: { id: name }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: resolved },
      async handler(id) {
        const [, part = '', language] = id.match(resolved) ?? []
        const file = join(import.meta.dirname, `../locales/${language}/translation.json`)
        this.addWatchFile(file)
        const texts: Record<string, string> = JSON.parse(await readFile(file, 'utf8'))
        const carried = Object.fromEntries((keysOf[part] ?? []).map((key) => [key, texts[key]]))
        return `export default ${JSON.stringify(carried)}`
      },
    },
  }
}
