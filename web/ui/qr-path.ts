import { encode } from 'uqr'

/** Modules of free space that a reader needs around the code (ISO/IEC 18004). */
const quietZone = 4

interface QrPath {
  /** Modules along each side, the quiet zone counted. */
  size: number
  /** The dark modules as one path, a module wide each. */
  path: string
}

/** The code of a text, with the least correction there is: a screen has no dirt, and fewer modules are larger ones. */
export function qrPath(text: string): QrPath {
  const { size, data } = encode(text, { ecc: 'L', border: 0 })
  const runs = data.flatMap((row, y) =>
    runsOf(row).map(([x, length]) => `M${x + quietZone} ${y + quietZone}h${length}v1h-${length}z`),
  )
  return { size: size + 2 * quietZone, path: runs.join('') }
}

/** Where dark modules begin that lie side by side, and how many they are. */
function runsOf(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = []
  row.forEach((dark, at) => {
    const last = runs.at(-1)
    if (dark && last && last[0] + last[1] === at) last[1]++
    else if (dark) runs.push([at, 1])
  })
  return runs
}
