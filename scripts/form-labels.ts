import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const contract = join(import.meta.dirname, '../contract')
const name = 'virtual:form-labels'

/** The files of the contract, relative to it. */
export const contractFiles = (): string[] =>
  readdirSync(contract, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.(test|d))\.ts$/.test(file))

/** The labels of each form: a file of the contract, and the name of its constant of the type `FieldLabels`. */
export const findFormLabels = (): { file: string; name: string }[] =>
  contractFiles()
    .flatMap((file) => {
      const code = readFileSync(join(contract, file), 'utf8')
      return [...code.matchAll(/^export const (\w+): FieldLabels</gm)].map(([, name = '']) => ({ file, name }))
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))

/** `virtual:form-labels`: the labels of every form in one record, without a list of forms by hand. The last of two counts. */
export function formLabels(): Plugin {
  return {
    name: 'form-labels',
    resolveId: { filter: { id: /^virtual:form-labels$/ }, handler: () => `\0${name}` },
    load: {
      filter: { id: /^\0virtual:form-labels$/ },
      handler() {
        const forms = findFormLabels().map(({ file, name }) => ({ name, path: join(contract, file) }))
        for (const { path } of forms) this.addWatchFile(path)
        const imports = forms.map(({ name, path }) => `import { ${name} } from ${JSON.stringify(path)}`)
        return `${imports.join('\n')}\nexport default { ${forms.map(({ name }) => `...${name}`).join(', ')} }`
      },
    },
  }
}
