import { Agent, request } from 'undici'
import { rate } from './measure.ts'

/** The changes that a process sends: each writer changes a service of its own, and the writers take turns at the portals. */
export interface Changing {
  urls: string[]
  cookie: string
  serviceIds: string[]
  seconds: number
}

process.once('message', async ({ urls, cookie, serviceIds, seconds }: Changing) => {
  const dispatcher = new Agent({ connections: serviceIds.length, pipelining: 1 })
  let version = 0
  const send = async (writer: number) => {
    const url = urls[writer % urls.length] ?? ''
    const { statusCode, body } = await request(`${url}/api/services`, {
      method: 'PUT',
      dispatcher,
      headers: { cookie, host: new URL(urls[0] ?? '').host, origin: urls[0], 'content-type': 'application/json' },
      body: JSON.stringify({ serviceId: serviceIds[writer], description: `Version ${version++}` }),
    })
    await body.dump()
    if (statusCode !== 200) throw new Error(`a change answered ${statusCode}`)
  }
  await rate(serviceIds.length, 1, send)
  const perSecond = await rate(serviceIds.length, seconds, send)
  process.send?.(perSecond, () => process.exit())
})
