import { crc32, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rebuildPng } from '#server/platform/rebuild-png.ts'
import type { Client } from '#test/client.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
interface Sides {
  width?: number
  height?: number
  interlace?: number
}
const header = ({ width = 2, height = 2, interlace = 0 }: Sides = {}) => {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, interlace])
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  return chunk('IHDR', data)
}
const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const end = chunk('IEND', Buffer.alloc(0))
// Two rows of two pixels, each row begins with its filter byte.
const pixels = Buffer.from([0, 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 0, 255, 255, 9, 9, 9, 0])
const image = (...between: Buffer[]) =>
  Buffer.concat([signature, header(), ...between, chunk('IDAT', deflateSync(pixels)), end])
const upload = (png: Buffer) => `data:image/png;base64,${png.toString('base64')}`
const withIcon = (icon: string | null) =>
  root.post('/api/services', { name: 'Journal', url: 'https://j.example', icon })

test('a super user uploads an icon, and people who are signed in see its pixels and nothing else of the file', async () => {
  const hostile = Buffer.concat([
    image(chunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'))),
    Buffer.from('<html><script>alert(2)</script>'),
  ])
  const created = await withIcon(upload(hostile))
  expect(created.statusCode).toBe(201)
  const { icon } = created.json()
  expect(icon).toMatch(/^\/service-icons\/[0-9a-f]{64}\.png$/)
  const shown = await (await portal.signedIn(await portal.person())).get(icon)
  expect(shown.statusCode).toBe(200)
  expect(shown.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'private, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  expect(shown.rawPayload.toString('latin1')).not.toContain('script')
  expect(await rebuildPng(shown.rawPayload, { maxBytes: 64 * 1024, maxSide: 512 })).toEqual(shown.rawPayload)
  expect((await portal.browser().get(icon)).statusCode).toBe(401)
  expect((await root.get(`/service-icons/${'0'.repeat(64)}.png`)).statusCode).toBe(404)
})

test('a service keeps the icon that it sends back, and the old address ends with a new icon', async () => {
  const service = (await withIcon(upload(image()))).json()
  const { version: _, ...same } = service
  expect((await root.put('/api/services', { ...same })).json()).toMatchObject({ icon: service.icon, version: 1 })
  // Another service cannot point to it: the image would go with the service that has it.
  const other = await withIcon(service.icon)
  expect(other.json().issues).toEqual([{ path: 'icon', message: 'invalidIcon' }])
  expect((await root.put('/api/services', { ...same, icon: 'archive' })).json()).toMatchObject({ icon: 'archive' })
  const changes = await portal.system.db
    .selectFrom('auditEvents')
    .select('changes')
    .where('targetId', '=', service.serviceId)
    .orderBy('id', 'desc')
    .execute()
  expect(changes[0]?.changes).toEqual([{ property: 'icon', previousValue: service.icon, newValue: 'archive' }])
  expect(changes).toHaveLength(2)
})

describe('an icon is refused when it', () => {
  test.each<[string, string]>([
    ['is an SVG', `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`],
    ['is an address elsewhere', 'https://evil.example/icon.png'],
    ['is no glyph', 'constructor'],
    ['has no PNG in it', upload(Buffer.from('<svg onload="alert(1)"/>'))],
    ['breaks off', upload(image().subarray(0, -12))],
    ['has a wrong checksum', upload(Buffer.from(image()).fill(7, 30, 32))],
    [
      'is interlaced',
      upload(Buffer.concat([signature, header({ interlace: 1 }), chunk('IDAT', deflateSync(pixels)), end])),
    ],
    ['says that it is enormous', upload(Buffer.concat([signature, header({ width: 30_000, height: 30_000 }), end]))],
    [
      'holds more than it says',
      upload(Buffer.concat([signature, header(), chunk('IDAT', deflateSync(Buffer.alloc(20_000_000))), end])),
    ],
  ])('%s', async (_, icon) => {
    const response = await withIcon(icon)
    expect([response.statusCode, response.json().issues]).toEqual([422, [{ path: 'icon', message: 'invalidIcon' }]])
  })

  test('has more than 64 KB', async () => {
    const response = await withIcon(upload(Buffer.alloc(65 * 1024)))
    expect([response.statusCode, response.json().issues]).toEqual([422, [{ path: 'icon', message: 'iconTooLarge' }]])
  })
})

test('super users put categories in order, with one event, and those without a place come last by name', async () => {
  for (const category of ['Ekonomi', 'Vård', 'Ärenden', 'Arbete'])
    await root.post('/api/services', { name: category, url: 'https://c.example', category })
  const read = async () => (await root.get('/api/service-categories')).json()
  expect(await read()).toEqual(['Arbete', 'Ekonomi', 'Vård', 'Ärenden'])
  const order = (categories: string[]) => root.put('/api/service-categories', { categories })
  expect((await order(['Vård', 'Ekonomi'])).statusCode).toBe(204)
  expect((await order(['Vård', 'Ekonomi'])).statusCode).toBe(204)
  expect(await read()).toEqual(['Vård', 'Ekonomi', 'Arbete', 'Ärenden'])
  expect((await order(['Vård', 'Vård'])).json().issues).toMatchObject([{ message: 'duplicateCategory' }])
  const events = await portal.system.db
    .selectFrom('auditEvents')
    .select('changes')
    .where('name', '=', 'orderServiceCategories')
    .execute()
  expect(events).toEqual([
    {
      changes: [
        {
          property: 'categories',
          previousValue: 'Arbete, Ekonomi, Vård, Ärenden',
          newValue: 'Vård, Ekonomi, Arbete, Ärenden',
        },
      ],
    },
  ])
})
