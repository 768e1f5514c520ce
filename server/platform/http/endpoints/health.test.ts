import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { connectTestDatabase } from '#test/connected-database.ts'
import { openDatabase } from '../../database/database.ts'
import { createReadinessCheck, serveHealth } from './health.ts'

function open(isReady: () => Promise<boolean>) {
  // As in http-server.ts: while it closes, it serves.
  const app = fastify({ return503OnClosing: false })
  const health = serveHealth(app, { isReady })
  return { app, health, ask: () => app.inject('/health/ready') }
}

describe('a server', () => {
  test('is live whatever its database does', async () => {
    const { app } = open(() => Promise.reject(new Error('down')))
    expect((await app.inject('/health/live')).statusCode).toBe(200)
  })

  test('is ready with its database, and not without, and says when to come back', async () => {
    let answer = true
    const { ask } = open(async () => answer)
    expect((await ask()).statusCode).toBe(200)
    answer = false
    const response = await ask()
    expect([response.statusCode, response.headers['retry-after'], response.json()]).toEqual([
      503,
      '2',
      { status: 'unavailable' },
    ])
  })

  test('whose database fails is not ready', async () => {
    expect((await open(() => Promise.reject(new Error('down'))).ask()).statusCode).toBe(503)
  })

  test('whose database does not answer says so after a second, and asks it once for all who wait', async () => {
    let asked = 0
    const { ask } = open(() => {
      asked++
      return new Promise<boolean>(() => {})
    })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503])
    expect(asked).toBe(1)
  })

  test('that is shutting down is not ready', async () => {
    const { ask, health } = open(async () => true)
    health.drain()
    const response = await ask()
    expect([response.statusCode, response.json()]).toEqual([503, { status: 'draining' }])
  })
})

test('connections that wait in the accept queue when the port closes are answered', async () => {
  const { app } = open(async () => true)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const waiting = Array.from({ length: 30 }, async () => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    const closed = once(socket, 'close')
    socket.write('GET /health/live HTTP/1.1\r\nhost: portal.example\r\n\r\n')
    await closed
    return answer.slice(0, 15)
  })
  const closed = app.close()
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['HTTP/1.1 200 OK']))
  await closed
})

describe('a database', () => {
  test('is ready when it has every migration of this version, also when it has more', async () => {
    const database = await connectTestDatabase()
    const [{ count = 0 } = {}] = (await database.pool.query('select count(*)::int as count from migrations')).rows
    expect(await createReadinessCheck(database.pool, count)()).toBe(true)
    expect(await createReadinessCheck(database.pool, count - 1)()).toBe(true)
    expect(await createReadinessCheck(database.pool, count + 1)()).toBe(false)
    await database.close()
  })

  test('that cannot be reached is not ready', async () => {
    const nowhere = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' })
    expect((await open(createReadinessCheck(nowhere.pool, 1)).ask()).statusCode).toBe(503)
    await nowhere.close()
  })
})
