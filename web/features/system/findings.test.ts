import { expect, test } from 'vitest'
import type { SystemState } from '#contract/system/system.ts'
import { findings } from './findings.ts'

const now = Date.parse('2026-11-26T12:00:00Z')
const at = '2026-11-26T11:59:00Z'
const inDays = (days: number) => new Date(now + days * 86_400_000 + 1000).toISOString()

const well: SystemState = {
  version: '1',
  nodeVersion: 'v24',
  nodes: [
    {
      ...{ nodeId: '01900000-0000-7000-8000-000000000000', host: 'a', version: '1' },
      ...{ startedAt: at, seenAt: at, alive: true, here: true },
    },
  ],
  database: {
    ...{ version: '18', bytes: 1, pool: { busy: 0, idle: 1, waiting: 0, most: 10 } },
    ...{ connections: 10, mostConnections: 100, replicas: 0 },
  },
  queues: [{ name: 'mail', waiting: 3, oldestSeconds: 20, failed: 0 }],
  jobs: [{ name: 'audit-verify', startedAt: at, finishedAt: at, failed: false, nextRun: at }],
  certificates: [{ kind: 'bankid', samlConfigId: null, name: null, endsAt: inDays(200) }],
  keys: [],
  audit: {
    ...{ head: 10, unsealed: 1, unsealedSeconds: 2, lastRemoval: null },
    lastCheck: { at, seq: 10, fault: null },
    wholeCheckAt: at,
  },
}
const kindsOf = (change: Partial<SystemState>) =>
  findings({ ...well, ...change }, { now, soonDays: 60 }).map(({ kind, urgent }) => [kind, urgent])

test('where all is well there is nothing to look at', () => {
  expect(kindsOf({})).toEqual([])
})

test('what is broken comes before what will be', () => {
  const [node] = well.nodes
  expect(
    kindsOf({
      nodes: node ? [{ ...node, alive: false }] : [],
      database: { ...well.database, connections: 95 },
      queues: [{ name: 'mail', waiting: 3, oldestSeconds: 3600, failed: 2 }],
      jobs: well.jobs.map((job) => ({ ...job, failed: true })),
      certificates: [30, -1].map((days) => ({ kind: 'samlConfig', samlConfigId: 1, name: 'A', endsAt: inDays(days) })),
      audit: { ...well.audit, unsealedSeconds: 600, lastCheck: { at, seq: 4, fault: 'a row is missing' } },
    }),
  ).toEqual([
    ['node', true],
    ['audit', true],
    ['unsealed', true],
    ['failed', true],
    ['job', true],
    ['certificate', true],
    ['connections', false],
    ['waits', false],
    ['certificate', false],
  ])
})

test('a message that failed leads to the messages, other failed work to its queue', () => {
  const queues: SystemState['queues'] = [
    { name: 'mail', waiting: 0, oldestSeconds: 0, failed: 1 },
    { name: 'jobs', waiting: 0, oldestSeconds: 0, failed: 1 },
  ]
  const found = findings({ ...well, queues }, { now, soonDays: 60 })
  expect(found.map(({ section }) => section)).toEqual(['failedMessages', 'systemQueues'])
})
