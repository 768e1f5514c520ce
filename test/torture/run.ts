// `npm run torture -- --kills 300`: kills servers, databases and first starts under load, and counts what was lost.
// `npm run torture -- --kills 30 --lossy-disk`: the power fails, and takes what was not synced; then shows that the disk loses.
import { parseArgs } from 'node:util'
import { tortureFirstBoot } from './first-boots.ts'
import { type Outcome, type Setup, torture } from './torture.ts'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '300' }, 'lossy-disk': { type: 'boolean', default: false } },
})
const kills = Number(values.kills)
if (!Number.isInteger(kills) || kills < 3) throw new Error('--kills takes a number from 3')

if (values['lossy-disk']) await failPower()
else await kill()

async function failPower(): Promise<void> {
  const outcome = await torture('lossy', kills, console.log)
  console.log(describe('lossy', outcome))
  conclude(outcome.losses)
  const unsynced = await torture('lossyUnsynced', Math.min(kills, 5), console.log)
  console.log(describe('lossyUnsynced', unsynced))
  if (unsynced.losses.length > 0) return
  console.log('the disk lost nothing of what was acknowledged before it was synced: the run above proves nothing')
  process.exitCode = 1
}

async function kill(): Promise<void> {
  const inBoots = Math.floor(kills / 5)
  const embedded = Math.floor((kills - inBoots) / 2)
  const losses: string[] = []
  for (const [setup, count] of [
    ['embedded', embedded],
    ['external', kills - inBoots - embedded],
  ] as const) {
    const outcome = await torture(setup, count, console.log)
    console.log(describe(setup, outcome))
    losses.push(...outcome.losses)
  }
  for (let left = inBoots; left > 0; left -= 3) losses.push(...(await tortureFirstBoot(Math.min(3, left))))
  console.log(`first starts: ${inBoots} kills`)
  conclude(losses)
}

function conclude(losses: readonly string[]): void {
  console.log(losses.length === 0 ? 'nothing lost, nothing by half' : losses.join('\n'))
  process.exitCode = losses.length === 0 ? 0 : 1
}

function describe(setup: Setup, { kills, readyAfter, acknowledged, unanswered, losses }: Outcome): string {
  const sorted = [...readyAfter].sort((a, b) => a - b)
  const at = (share: number) => ((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 1000).toFixed(2)
  return `${setup}: ${kills.node} kills of the portal, ${kills.database} of PostgreSQL, ${kills.power} power failures; ${acknowledged} writes acknowledged, \
${unanswered} requests without an answer, ${losses.length} lost or half; ready again after ${at(0.5)} s (median), ${at(1)} s (longest)`
}
