// `npm run seed`: fills a database that holds the demo and nothing else with many people, to measure with.
// Usage: npm run seed -- --users 100000 [--organizations 2000] [--services 300] [--assignments 400000]
import { parseArgs } from 'node:util'
import pg from 'pg'
import { withSystem } from '#server/admin/with-system.ts'
import { environment, readConfig } from '#server/config.ts'
import { demoAuditor, demoOrganizations, demoSuperUser } from '#server/demo/demo-data.ts'
import { demoServices } from '#server/demo/demo-services.ts'
import { loadDemo } from '#server/demo/load-demo.ts'
import type { Amounts } from './amounts.ts'
import { onBareTables } from './bare-tables.ts'
import { demoWords as words } from './demo-words.ts'
import { addRows, offersPerOrganization } from './people.ts'

function readAmounts(): Amounts {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: { users: text, organizations: text, services: text, assignments: text },
    strict: true,
  })
  const amount = (name: keyof typeof values, usual: number) => {
    const number = Number(values[name] ?? usual)
    if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} takes a whole number from 1 on`)
    return number
  }
  const users = amount('users', 100_000)
  const amounts = {
    users,
    organizations: amount('organizations', Math.ceil(users / 50)),
    services: amount('services', 300),
    assignments: amount('assignments', users * 4),
  }
  if (amounts.organizations > users) throw new Error('there must be a person for every organisation')
  if (amounts.assignments > users * offersPerOrganization(amounts))
    throw new Error('nobody can have a service twice: fewer assignments, or more services')
  return amounts
}

async function seed(amounts: Amounts): Promise<void> {
  const config = readConfig(environment())
  if (config.production) throw new Error('production is not seeded')
  await withSystem({
    config,
    say: console.log,
    work: async (system, { ownerUrl }) => {
      await loadDemo(system)
      const client = new pg.Client({ connectionString: ownerUrl })
      await client.connect()
      try {
        await client.query(`set maintenance_work_mem = '256MB'; set work_mem = '64MB'; begin`)
        await client.query('lock table users, organizations, services in exclusive mode')
        await mustHoldTheDemoAlone(client)
        await onBareTables(client, () => addRows(client, amounts, words))
        await client.query('commit')
        await client.query('vacuum (analyze)')
      } finally {
        await client.end()
      }
    },
  })
}

async function mustHoldTheDemoAlone(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ users: number; organizations: string[]; services: number }>(
    `select (select count(*) from users)::integer as users, (select count(*) from services)::integer as services,
      array(select name::text from organizations order by name) as organizations,
      exists (select from users where email = 'super@vestibule.example') as demo`,
  )
  const [found] = rows
  const operators = [demoSuperUser, demoAuditor].length
  const people = demoOrganizations.reduce(
    (sum, one) => sum + one.people.filter(({ invited }) => !invited).length,
    operators,
  )
  const names = new Set(words.organizations)
  const isDemo =
    found?.users === people &&
    found.services === demoServices.length &&
    found.organizations.length === names.size &&
    found.organizations.every((name) => names.has(name))
  if (!isDemo) throw new Error('this database holds more than the demo, or something else: it is left as it is')
}

try {
  const amounts = readAmounts()
  const since = performance.now()
  await seed(amounts)
  const { users, organizations, services, assignments } = amounts
  const seconds = ((performance.now() - since) / 1000).toFixed(1)
  console.log(
    `${users} people, ${organizations} organisations, ${services} services, ${assignments} assignments: ${seconds} s`,
  )
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
