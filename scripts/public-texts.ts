import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'
import { textKeys } from '../web/sign-in/text-keys.ts'

const name = /^virtual:public-texts\/(\w+)$/
const resolved = /^\0virtual:public-texts\/(\w+)$/

/** `virtual:public-texts/sv`: the texts that the light entry carries, taken out of the language's one file. */
export function publicTexts(): Plugin {
  return {
    name: 'public-texts',
    resolveId: { filter: { id: name }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: resolved },
      async handler(id) {
        const file = new URL(`../locales/${id.match(resolved)?.[1]}/translation.json`, import.meta.url).pathname
        this.addWatchFile(file)
        const texts: Record<string, string> = JSON.parse(await readFile(file, 'utf8'))
        const carried = Object.fromEntries(textKeys.map((key) => [key, texts[key]]))
        return `export default ${JSON.stringify(carried)}`
      },
    },
  }
}
