import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Directory, directoryOf } from '#test/directory.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// Any filter finds whom a small evaluator finds, which reads RFC 7644 by itself: it knows nothing of our parser and of SQL.

let portal: TestApp
let here: Directory
let people: Person[]
type Person = Record<string, unknown> & { id: string }

const texts = ['a', 'B', 'ab', 'Åsa', 'å', 'x%y', '_', "o'b", 'a "b"', '\\', 'null', 'true', ' ']
beforeAll(async () => {
  portal = await testApp()
  here = await directoryOf(portal)
  const some = <One>(list: readonly One[], index: number) => list[index % list.length] as One
  people = []
  for (let index = 0; index < 30; index++) {
    const sent = {
      userName: `u${index}@${here.mailDomain}`,
      active: index % 3 > 0,
      ...(index % 2 > 0 && { title: some(texts, index * 5) }),
      ...(index % 5 > 0 && { displayName: some(texts, index * 7) }),
      name: { ...(index % 4 > 0 && { familyName: some(texts, index * 3) }), givenName: some(texts, index) },
      emails: Array.from({ length: index % 4 }, (_, at) => ({
        value: `${some(['a', 'b', 'c'], index + at)}${at}@${here.mailDomain}`,
        ...(at > 0 && { type: some(['work', 'home'], index + at) }),
        ...(at === 2 && { primary: index % 2 > 0 }),
      })),
    }
    const answer = await here.call('POST', '/Users', here.user(sent))
    people.push(answer.json())
  }
})
afterAll(() => portal?.close())

type Expression =
  | { kind: 'compare'; name: string; op: string; value: string | boolean | null }
  | { kind: 'present'; name: string }
  | { kind: 'not'; of: Expression }
  | { kind: 'and' | 'or'; left: Expression; right: Expression }
  | { kind: 'chosen'; of: Expression }

const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le']
const comparison = (names: readonly string[], flags: readonly string[], values: readonly string[]) =>
  fc.oneof(
    fc.record({
      kind: fc.constant('compare' as const),
      name: fc.constantFrom(...names),
      op: fc.constantFrom(...operators),
      value: fc.constantFrom(...values),
    }),
    fc.record({
      kind: fc.constant('compare' as const),
      name: fc.constantFrom(...names, ...flags),
      op: fc.constantFrom('eq', 'ne'),
      value: fc.constant(null),
    }),
    fc.record({
      kind: fc.constant('compare' as const),
      name: fc.constantFrom(...flags),
      op: fc.constantFrom('eq', 'ne'),
      value: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('present' as const), name: fc.constantFrom(...names, ...flags) }),
  )
const withLogic = (leaf: fc.Arbitrary<Expression>, maxDepth: number) =>
  fc.letrec<{ any: Expression }>((tie) => ({
    any: fc.oneof(
      { maxDepth, depthIdentifier: `logic ${maxDepth}` },
      leaf,
      fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), left: tie('any'), right: tie('any') }),
      fc.record({ kind: fc.constant('not' as const), of: tie('any') }),
    ),
  })).any
const addresses = ['a0', 'B1', '@', 'customer', 'work', 'HOME']
const inBrackets = withLogic(comparison(['value', 'type'], ['primary'], addresses), 2)
const filter = withLogic(
  fc.oneof(
    comparison(['title', 'displayName', 'name.familyName', 'name.givenName', 'userName'], ['active'], [...texts, 'u1']),
    comparison(['emails.value', 'emails.type', 'emails'], ['emails.primary'], addresses),
    fc.record({ kind: fc.constant('chosen' as const), of: inBrackets }),
  ),
  3,
)

function write(one: Expression): string {
  switch (one.kind) {
    case 'compare':
      return `${one.name} ${one.op} ${JSON.stringify(one.value)}`
    case 'present':
      return `${one.name} pr`
    case 'not':
      return `not (${write(one.of)})`
    case 'chosen':
      return `emails[${write(one.of)}]`
    default:
      return `(${write(one.left)} ${one.kind} ${write(one.right)})`
  }
}

/** All values at a name, of however many. */
function valuesOf(resource: Record<string, unknown>, name: string): unknown[] {
  const found = name
    .split('.')
    .reduce<unknown[]>(
      (all, part) =>
        all.flatMap((one) => (one as Record<string, unknown> | undefined)?.[part]).filter((one) => one !== undefined),
      [resource],
    )
  return name === 'emails' ? valuesOf(resource, 'emails.value') : found
}

const order = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))
const asked: Record<string, (one: string, other: string) => boolean> = {
  co: (one, other) => one.includes(other),
  sw: (one, other) => one.startsWith(other),
  ew: (one, other) => one.endsWith(other),
  gt: (one, other) => order(one, other) > 0,
  ge: (one, other) => order(one, other) >= 0,
  lt: (one, other) => order(one, other) < 0,
  le: (one, other) => order(one, other) <= 0,
}
const low = (value: unknown) => String(value).toLowerCase()

function isMet(one: Expression, resource: Record<string, unknown>): boolean {
  switch (one.kind) {
    case 'not':
      return !isMet(one.of, resource)
    case 'and':
      return isMet(one.left, resource) && isMet(one.right, resource)
    case 'or':
      return isMet(one.left, resource) || isMet(one.right, resource)
    case 'chosen':
      return ((resource.emails ?? []) as Record<string, unknown>[]).some((each) => isMet(one.of, each))
    case 'present':
      return valuesOf(resource, one.name).length > 0
    default: {
      const { op, value } = one
      const values = valuesOf(resource, one.name)
      const isEqual = value === null ? values.length === 0 : values.some((each) => low(each) === low(value))
      if (op === 'eq' || op === 'ne') return isEqual === (op === 'eq')
      return values.some((each) => asked[op]?.(low(each), low(value)))
    }
  }
}

test('a filter finds whom it describes', { timeout: 120_000 }, async () => {
  const found = { none: 0, some: 0 }
  await fc.assert(
    fc.asyncProperty(filter, fc.boolean(), async (one, isLoud) => {
      const text = isLoud
        ? write(one).replaceAll(/\b(and|or|not|eq|pr|co) /g, (word) => word.toUpperCase())
        : write(one)
      fc.pre(text.length <= 1000)
      const answer = await here.call('GET', `/Users?count=200&filter=${encodeURIComponent(text)}`)
      expect(answer.statusCode, `${text}: ${answer.body}`).toBe(200)
      const ids = answer.json().Resources.map(({ id }: Person) => id)
      const wanted = people.filter((person) => isMet(one, person)).map(({ id }) => id)
      expect(ids.toSorted(), text).toEqual(wanted.toSorted())
      found[ids.length === 0 || ids.length === people.length ? 'none' : 'some']++
    }),
    { numRuns: 300 },
  )
  // Filters that find nobody, or everybody, would prove little.
  expect(found.some).toBeGreaterThan(100)
})
