import autocannon from 'autocannon'

process.once('message', async (message) => {
  const { url, connections, seconds, headers } = message as {
    url: string
    connections: number
    seconds: number
    headers?: Record<string, string>
  }
  await autocannon({ url, connections, duration: 2, headers })
  const result = await autocannon({ url, connections, duration: seconds, headers })
  process.send?.({
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
  })
  process.disconnect()
})
