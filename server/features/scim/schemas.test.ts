import { afterAll, beforeAll, expect, test } from 'vitest'
import { directoryOf } from '#test/directory.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

interface Described {
  name: string
  type: string
  required: boolean
  uniqueness?: string
  referenceTypes?: string[]
}

test('a directory reads that each person and group has one name, which nobody else has, and no other text is like that', async () => {
  const here = await directoryOf(portal)
  const { Resources } = (await here.call('GET', '/Schemas')).json()
  const attributes: Described[] = Resources.flatMap((schema: { name: string; attributes: Described[] }) =>
    schema.attributes.map((one) => ({ ...one, name: `${schema.name}.${one.name}` })),
  )
  const namesOf = (those: Described[]) => those.map(({ name }) => name).sort()
  const named = ['Group.displayName', 'User.userName']
  expect(namesOf(attributes.filter(({ required }) => required))).toEqual(named)
  const texts = attributes.filter(({ type }) => type === 'string')
  expect(namesOf(texts.filter(({ uniqueness }) => uniqueness === 'server'))).toEqual(named)
  expect(namesOf(texts.filter(({ uniqueness }) => uniqueness === 'none')).length).toBe(texts.length - named.length)
  expect(attributes.filter(({ type, uniqueness }) => type !== 'string' && type !== 'reference' && uniqueness)).toEqual(
    [],
  )
  const references = attributes.filter(({ type }) => type === 'reference')
  expect(namesOf(references)).toEqual(['User.profileUrl'])
  expect(references[0]?.referenceTypes).toEqual(['external'])
})

test('every list and resource comes as SCIM, whatever it is about', async () => {
  const here = await directoryOf(portal)
  const { id } = await here.created()
  const group = (await here.call('POST', '/Groups', { displayName: 'Surgeons' })).json()
  for (const path of ['/Users', `/Users/${id}`, '/Groups', `/Groups/${group.id}`, '/Schemas', '/ResourceTypes']) {
    const { statusCode, headers } = await here.call('GET', path)
    expect([path, statusCode, headers['content-type']]).toEqual([path, 200, 'application/scim+json; charset=utf-8'])
  }
})
