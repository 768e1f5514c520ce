import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { schemaFolder } from '#server/platform/database/schema.ts'
import { withRolesOfContract } from './role-permissions-sql.ts'

test('the schema has the permissions and built-in roles of the contract', () => {
  const schema = readFileSync(join(schemaFolder, 'roles.sql'), 'utf8')
  expect(withRolesOfContract(schema), 'run npm run schema').toBe(schema)
})
