import SCIMMY from 'scimmy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { directoryOf } from '#test/directory.ts'
import { addGroup } from '#test/directory-groups.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// Another implementation of SCIM reads what this one says: it has RFC 7643's schemas, and refuses what they do not allow.

let portal: TestApp
let here: Awaited<ReturnType<typeof directoryOf>>
beforeAll(async () => {
  portal = await testApp()
  here = await directoryOf(portal)
})
afterAll(() => portal?.close())

interface Described {
  name: string
  type: string
  multiValued: boolean
  required: boolean
  description: string
  mutability: 'readWrite' | 'immutable' | 'readOnly'
  returned: 'default'
  caseExact?: boolean
  uniqueness?: 'none' | 'server'
  referenceTypes?: string[]
  subAttributes?: Described[]
}
interface Schema {
  id: string
  name: string
  description: string
  attributes: Described[]
}
const read = async (path: string) => (await here.call('GET', path)).json()
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
const standard = (id: string): Schema | undefined =>
  [SCIMMY.Schemas.User, SCIMMY.Schemas.EnterpriseUser, SCIMMY.Schemas.Group]
    .map(({ definition }) => plain(definition.describe()))
    .find((schema) => schema.id === id)

/** Built by scimmy, which checks types, names and characteristics. */
function asAttribute({
  type,
  name,
  subAttributes = [],
  multiValued,
  mutability,
  ...rest
}: Described): InstanceType<typeof SCIMMY.Types.Attribute> {
  const config = { ...rest, multiValued, mutable: mutability }
  return new SCIMMY.Types.Attribute(type as 'string', name, config, subAttributes.map(asAttribute))
}
const definitionOf = ({ name, id, description, attributes }: Schema) =>
  new SCIMMY.Types.SchemaDefinition(name, id, description, attributes.map(asAttribute))

describe('scimmy', () => {
  test('reads the schemas, whose attributes are those of RFC 7643', async () => {
    const list = new SCIMMY.Messages.ListResponse(await read('/Schemas'))
    expect(list.totalResults).toBe(3)
    const differences: string[] = []
    const compare = (path: string, ours: readonly Described[], theirs: readonly Described[] = []) => {
      for (const one of ours) {
        const other = theirs.find(({ name }) => name === one.name)
        const where = `${path}.${one.name}`
        if (!other) differences.push(`${where} is not in RFC 7643`)
        else if (other.type !== one.type || other.multiValued !== one.multiValued || (other.required && !one.required))
          differences.push(`${where}: ${one.type}, ${one.multiValued} beside ${other.type}, ${other.multiValued}`)
        else compare(where, one.subAttributes ?? [], other.subAttributes)
      }
    }
    for (const schema of (await read('/Schemas')).Resources as Schema[]) {
      expect(plain(definitionOf(schema).describe()).attributes).toHaveLength(schema.attributes.length)
      compare(schema.name, schema.attributes, standard(schema.id)?.attributes)
    }
    expect(differences).toEqual([])
  })

  test('reads the resource types and the configuration', async () => {
    for (const type of (await read('/ResourceTypes')).Resources)
      expect(plain(new SCIMMY.Schemas.ResourceType(type))).toMatchObject({
        endpoint: type.endpoint,
        schema: type.schema,
      })
    const config = await read('/ServiceProviderConfig')
    const { patch, bulk, filter, etag } = plain(new SCIMMY.Schemas.ServiceProviderConfig(config))
    expect({ patch, bulk, filter, etag }).toEqual({
      ...{ patch: config.patch, bulk: config.bulk, filter: config.filter, etag: config.etag },
    })
  })

  test('reads people, groups, lists and errors, and finds each value where the schemas have it', async () => {
    const { id } = await here.created({
      ...{ displayName: 'Åsa Öberg', title: 'Läkare', preferredLanguage: 'sv-SE', timezone: 'Europe/Stockholm' },
      phoneNumbers: [{ value: '070-174 06 05', type: 'mobile' }],
      addresses: [{ type: 'work', streetAddress: 'Storgatan 1', locality: 'Umeå' }],
    })
    const person = await read(`/Users/${id}`)
    expect(plain(new SCIMMY.Schemas.User(person, 'out'))).toEqual(person)
    const group = await read(`/Groups/${await addGroup(here, [id])}`)
    expect(plain(new SCIMMY.Schemas.Group(group, 'out'))).toEqual(group)
    const list = new SCIMMY.Messages.ListResponse(await read('/Users'))
    expect([list.totalResults, list.Resources.length]).toEqual([1, 1])
    for (const [path, scimType] of [
      ['/Users/01900000-0000-7000-8000-000000000000', undefined],
      ['/Users?filter=x', 'invalidFilter'],
    ] as const) {
      const { schemas, ...error } = await read(path)
      expect(error.scimType).toBe(scimType)
      expect(plain(new SCIMMY.Messages.ErrorResponse(error))).toEqual({ schemas, ...error })
    }
  })

  test('is not easily satisfied', () => {
    const wrong = { schemas: [SCIMMY.Schemas.User.id], id: 'x', userName: 7 }
    expect(() => new SCIMMY.Schemas.User(wrong, 'out')).toThrow('userName')
  })
})
