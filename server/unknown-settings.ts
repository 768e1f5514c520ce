import { limitSettings } from './limit-settings.ts'
import { fileSetting, type Setting, settings } from './settings.ts'

/** A variable that no setting reads, and the setting that was probably meant. Its value is never looked at. */
export interface UnknownSetting {
  variable: string
  meant: string | undefined
}

const ours = Object.values<Setting<unknown>>(settings)
const known = new Set([
  ...ours.flatMap(({ env, secret }) => (secret ? [env, fileSetting(env)] : [env])),
  ...limitSettings,
  'NODE_ENV',
])
// What libraries read, with names near to ours or of their own in `.env`.
const foreign = /^(npm_|OTEL_|PG|LC_)/i
/** A name that somebody typed: a line of a key that was broken in two could be read as one. */
const typed = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/

// What begins names of ours, without those that other programs begin theirs with: HOST, PORT, NODE, OTEL, NEW (New Relic), ACCESS.
const prefixes = new Set(
  [...known]
    .map((name) => /^(?:NEW_BROWSER|ACCESS_REVIEW|[A-Z]+)/.exec(name)?.[0] ?? '')
    .filter((prefix) => !/^(?:HOST|PORT|NODE|OTEL)$/.test(prefix)),
)
// Parts of an address that something else puts together, what Kubernetes sets for a service of any name, and X11.
const ofOthers =
  /^(?:DATABASE|SMTP)_(?:HOST|PORT|PASSWORD|NAME|USER|USERNAME)(?:_FILE)?$|_SERVICE_(?:HOST|PORT)\w*$|_PORT(?:_\d+_\w+)?$|^SESSION_MANAGER$/

/** Whether it is a setting of ours under another word: `BANKID_CERT`, `MAIL_SENDER`. */
const beginsLikeOurs = (variable: string) =>
  typed.test(variable) && !ofOthers.test(variable) && [...prefixes].some((prefix) => variable.startsWith(`${prefix}_`))

/**
 * The variables that look like a misspelled setting, or begin like one, and everything unknown in `.env`, which is ours alone.
 *
 * @param inFile the names in `.env`
 */
export function unknownSettings(env: Record<string, unknown>, inFile: readonly string[]): UnknownSetting[] {
  return [...new Set([...Object.keys(env), ...inFile])]
    .filter((variable) => !known.has(variable) && !foreign.test(variable) && !variable.startsWith('LIMIT_'))
    .map((variable) => ({ variable, meant: nearSetting(variable) }))
    .filter(
      ({ variable, meant }) =>
        meant !== undefined || beginsLikeOurs(variable) || (inFile.includes(variable) && typed.test(variable)),
    )
    .sort((a, b) => (a.variable < b.variable ? -1 : 1))
}

/** One line for the operator. It has the name alone: the value may be a secret. */
export const unknownLine = ({ variable, meant }: UnknownSetting): string =>
  `${variable} is no setting${meant ? `: ${meant} is` : ''}`

/** The setting whose name differs in one of five characters at most; of several the nearest. */
export function nearSetting(variable: string): string | undefined {
  const name = variable.toUpperCase().replaceAll(/[.-]/g, '_')
  // The form with a file, of a setting that is no secret.
  const plain = name.replace(/_FILE$/, '')
  if (plain !== name && known.has(plain)) return plain
  let nearest: { setting: string; distance: number } | undefined
  for (const setting of known) {
    const most = Math.min(Math.floor(setting.length / 5), (nearest?.distance ?? Infinity) - 1)
    if (Math.abs(setting.length - name.length) > most) continue
    const distance = editDistance(name, setting)
    if (distance <= most) nearest = { setting, distance }
  }
  return nearest?.setting
}

/** How many characters must be added, removed, replaced or swapped with the next one (optimal string alignment). */
function editDistance(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      const ways = [(last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1)]
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        ways.push((before[column - 2] ?? 0) + 1)
      current.push(Math.min(...ways))
    }
    before = last
    last = current
  }
  return last[other.length] ?? 0
}
