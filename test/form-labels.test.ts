import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formLabels } from '#contract/form-labels.ts'

const contract = join(import.meta.dirname, '../contract')

test('the labels of every form are in the list that the audit log reads', () => {
  const files = readdirSync(contract, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const declared = files.flatMap((file) => {
    const code = readFileSync(join(contract, file), 'utf8')
    return [...code.matchAll(/^export const (\w+): FieldLabels</gm)].map(([, name]) => name)
  })
  expect(declared.length).toBeGreaterThan(10)
  expect(Object.keys(formLabels).sort()).toEqual(declared.sort())
})
