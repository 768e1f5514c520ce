import autocannon from 'autocannon'

process.once('message', async (message) => {
  const { url, connections, seconds, cookies } = message as {
    url: string
    connections: number
    seconds: number
    cookies?: string[]
  }
  let next = 0
  const setupClient = (client: autocannon.Client) => {
    if (cookies) client.setHeaders({ cookie: cookies[next++ % cookies.length] })
  }
  await autocannon({ url, connections, duration: 2, setupClient })
  const result = await autocannon({ url, connections, duration: seconds, setupClient })
  process.send?.({
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
  })
  process.disconnect()
})
