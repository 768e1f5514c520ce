export interface Line {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** The lines of two texts, with those that only one of them has: the longest common sequence stays. */
export function lineDifference(before: string, after: string): Line[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  // common[i][j]: how many lines the rests from i and j have in common.
  const common = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      (common[i] as number[])[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && old[i] === now[j]) {
      lines.push({ kind: 'same', text: old[i] ?? '' })
      i += 1
      j += 1
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'removed', text: old[i] ?? '' })
      i += 1
    } else {
      lines.push({ kind: 'added', text: now[j] ?? '' })
      j += 1
    }
  }
  return lines
}
