import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { propertyLabel } from '#web/features/audit-events/property-labels.ts'
import { contractFiles, findFormLabels } from '../scripts/form-labels.ts'

const contract = join(import.meta.dirname, '../contract')

test('the audit log knows the label of every field of every form', async () => {
  const forms = findFormLabels()
  expect(forms.length).toBeGreaterThan(10)
  const modules = await Promise.all(
    forms.map(({ file }): Promise<Record<string, object>> => import(join(contract, file))),
  )
  const fields = forms.flatMap(({ name }, at) => Object.keys(modules[at]?.[name] ?? {}))
  expect(fields).toContain('loginMethod')
  expect(fields.filter((field) => !propertyLabel(field, 'updateUser'))).toEqual([])
})

test('labels of a form are declared in the way by which the audit log finds them', () => {
  const named = contractFiles().flatMap(
    (file) => readFileSync(join(contract, file), 'utf8').match(/FieldLabels</g) ?? [],
  )
  // One is the type.
  expect(findFormLabels()).toHaveLength(named.length - 1)
})
