// `npm run torture -- --kills 300`: kills servers, databases and first starts under load, and counts what was lost.
import { parseArgs } from 'node:util'
import { tortureFirstBoot } from './first-boots.ts'
import { type Outcome, type Setup, torture } from './torture.ts'

const { values } = parseArgs({ options: { kills: { type: 'string', default: '300' } } })
const kills = Number(values.kills)
if (!Number.isInteger(kills) || kills < 3) throw new Error('--kills takes a number from 3')

const inBoots = Math.floor(kills / 5)
const shares: Record<Setup, number> = { embedded: Math.floor((kills - inBoots) / 2), external: 0 }
shares.external = kills - inBoots - shares.embedded

const losses: string[] = []
for (const [setup, count] of Object.entries(shares) as [Setup, number][]) {
  const outcome = await torture(setup, count, console.log)
  console.log(describe(setup, outcome))
  losses.push(...outcome.losses)
}
for (let left = inBoots; left > 0; left -= 3) losses.push(...(await tortureFirstBoot(Math.min(3, left))))
console.log(`first starts: ${inBoots} kills`)
console.log(losses.length === 0 ? 'nothing lost, nothing by half' : losses.join('\n'))
process.exitCode = losses.length === 0 ? 0 : 1

function describe(setup: Setup, { kills, readyAfter, acknowledged, unanswered, losses }: Outcome): string {
  const sorted = [...readyAfter].sort((a, b) => a - b)
  const at = (share: number) => ((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 1000).toFixed(2)
  return `${setup}: ${kills.node} kills of the portal, ${kills.database} of PostgreSQL; ${acknowledged} writes acknowledged, \
${unanswered} requests without an answer, ${losses.length} lost or half; ready again after ${at(0.5)} s (median), ${at(1)} s (longest)`
}
