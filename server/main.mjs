import './node-version.mjs'

// An older Node cannot even load it.
await import('./runtime.mjs')
const { main } = await import('./start-server.ts')
await main()
