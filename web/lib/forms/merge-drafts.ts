/** A field that somebody else changed while this draft was being made. Nested fields have dotted names. */
export interface Difference {
  name: string
  theirs: unknown
  /** What this person put there instead; without it, the field was left alone and simply follows. */
  mine?: { value: unknown }
}

/**
 * Three states of one form: what the draft was made from, the draft, and the current state.
 *
 * @returns what they changed, and what of the draft is still a change on top of theirs
 */
export function mergeDrafts(base: object, mine: object, theirs: object) {
  const [before, own, now] = [leaves(base), leaves(mine), leaves(theirs)]
  const names = [...new Set([...own.keys(), ...now.keys()])]
  const differs = (one: Map<string, unknown>, other: Map<string, unknown>) => (name: string) =>
    !Object.is(one.get(name), other.get(name))
  const iChanged = differs(before, own)
  const kept = names
    .filter((name) => iChanged(name) && own.has(name))
    .map((name) => ({ name, value: own.get(name) }))
    .filter(({ name, value }) => !Object.is(value, now.get(name)))
  const changed: Difference[] = names.filter(differs(before, now)).map((name) => ({
    name,
    theirs: now.get(name),
    ...(kept.some((one) => one.name === name) && { mine: { value: own.get(name) } }),
  }))
  return { changed, kept }
}

function leaves(value: object, parent = ''): Map<string, unknown> {
  return new Map(
    Object.entries(value).flatMap(([name, inner]) =>
      inner && typeof inner === 'object' ? [...leaves(inner, `${parent}${name}.`)] : [[parent + name, inner]],
    ),
  )
}
