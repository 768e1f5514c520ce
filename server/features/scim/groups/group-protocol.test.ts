import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groupScene, membersOf, patchGroup } from '#test/directory-groups.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

describe('the requests of directories', () => {
  test('replace by all, by none and without a path, as Okta does; Entra reads the group without its people', async () => {
    const { here, people, id } = await groupScene(portal)
    const [first, second] = people.map((one) => one.id)
    await patchGroup(here, id, { op: 'replace', path: 'members', value: [{ value: second, display: 'x' }] })
    expect(await membersOf(here, id)).toEqual([second])
    await patchGroup(here, id, { op: 'replace', path: 'members', value: [] })
    expect(await membersOf(here, id)).toEqual([])
    expect((await patchGroup(here, id, { op: 'replace', value: { id, displayName: 'Renamed' } })).statusCode).toBe(204)
    await patchGroup(here, id, { op: 'Add', value: { members: [{ value: first }, { value: second }] } })
    expect(await membersOf(here, id)).toEqual([first, second].sort())
    const put = await here.call('PUT', `/Groups/${id}`, { displayName: 'Renamed', members: [{ value: first }] })
    expect(put.json()).toMatchObject({ displayName: 'Renamed', members: [{ value: first, type: 'User' }] })
    expect(put.json().externalId).toBeUndefined()
    const find = async (filter: string, more = '') =>
      (await here.call('GET', `/Groups?filter=${encodeURIComponent(filter)}${more}`)).json()
    const { Resources } = await find('displayName eq "RENAMED"', '&excludedAttributes=members')
    expect(Resources).toMatchObject([{ id, displayName: 'Renamed' }])
    expect(Resources[0].members).toBeUndefined()
    await patchGroup(here, id, { op: 'replace', path: 'externalId', value: 'g-2' })
    expect((await find('externalId eq "g-2"')).Resources).toMatchObject([{ id, members: [{ value: first }] }])
    expect(await find(`id eq "${id}" and members eq "${second}"`)).toMatchObject({ totalResults: 0, Resources: [] })
    expect(await find('members pr')).toMatchObject({ totalResults: 1 })
    expect(await find('members co "x" pr')).toMatchObject({ status: '400', scimType: 'invalidFilter' })
    expect((await here.call('GET', '/Groups?startIndex=1&count=0')).json()).toMatchObject({ totalResults: 1 })
  })

  test('are refused in SCIM’s own form: a name that is taken, none, another version, what is no operation', async () => {
    const { here, id } = await groupScene(portal)
    expect((await here.call('POST', '/Groups', { displayName: 'surgeons' })).json()).toMatchObject({
      ...{ status: '409', scimType: 'uniqueness' },
    })
    expect((await here.call('POST', '/Groups', { externalId: 'x' })).json().scimType).toBe('invalidValue')
    const personal = { displayName: 'Patient 198112189876' }
    expect((await here.call('POST', '/Groups', { ...personal, displayName: '19811218-9876' })).statusCode).toBe(400)
    const read = await here.call('GET', `/Groups/${id}`)
    const version = String(read.headers.etag)
    const rename = (displayName: string) => here.call('PUT', `/Groups/${id}`, { displayName }, { 'if-match': version })
    expect((await rename('Renamed')).statusCode).toBe(200)
    expect((await rename('Again')).json()).toMatchObject({ status: '412' })
    expect((await patchGroup(here, id, { op: 'move', path: 'members' })).json().scimType).toBe('invalidSyntax')
    expect((await patchGroup(here, id, { op: 'remove' })).json().scimType).toBe('noTarget')
    expect((await here.logged()).status).toBe(400)
  })

  test('find Group among the schemas and resource types', async () => {
    const { here } = await groupScene(portal)
    const urn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
    expect((await here.call('GET', '/ResourceTypes/Group')).json()).toMatchObject({ endpoint: '/Groups', schema: urn })
    const { attributes } = (await here.call('GET', `/Schemas/${urn}`)).json()
    expect(attributes.map(({ name }: { name: string }) => name)).toEqual(['displayName', 'members'])
  })
})
