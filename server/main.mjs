import './runtime.mjs'

const { main } = await import('./start-server.ts')
await main()
