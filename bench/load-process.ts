import autocannon from 'autocannon'

process.once('message', async (message) => {
  const { url, connections, seconds, cookies, requests, method } = message as {
    url: string
    connections: number
    seconds: number
    cookies?: string[]
    requests?: { headers: Record<string, string>; body?: string }[]
    method?: 'POST'
  }
  let next = 0
  const setupClient = (client: autocannon.Client) => {
    if (cookies) client.setHeaders({ cookie: cookies[next++ % cookies.length] })
    const request = requests?.[next++ % requests.length]
    if (request) client.setHeadersAndBody(request.headers, request.body)
  }
  const options = { url, connections, setupClient, ...(method && { method }) }
  const warmUp = await autocannon({ ...options, duration: 2 })
  const result = await autocannon({ ...options, duration: seconds })
  process.send?.({
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    answered: warmUp.requests.total + result.requests.total,
    failures: result.non2xx + result.errors + result.timeouts,
  })
  process.disconnect()
})
