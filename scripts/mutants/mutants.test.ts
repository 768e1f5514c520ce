import { expect, test } from 'vitest'
import { equivalent, mutantsOf, sample } from './candidates.ts'
import { type Change, findStatements, mutateSql } from './sql.ts'
import { markFunctions } from './test-runs.ts'
import { readSource } from './typescript.ts'

const applied = (source: string, changes: readonly Change[]) =>
  changes.map(({ start, end, text }) => (source.slice(0, start) + text + source.slice(end)).replace(/\s+/g, ' ').trim())
const ofSql = (source: string) => applied(source, mutateSql(source))
const ofSource = (source: string) => applied(source, readSource('a.ts', source).mutants)

test('a condition in SQL goes whole, with what its brackets and its "between" hold', () => {
  expect(ofSql('select from a where (b = 1 or c) and d between e and f and not g order by h')).toEqual(
    expect.arrayContaining([
      'select from a where d between e and f and not g order by h',
      'select from a where (b = 1 ) and d between e and f and not g order by h',
      'select from a where (b = 1 or c) and not g order by h',
      'select from a where (b = 1 or c) and d between e and f order by h',
      'select from a where (b = 1 or c) and d between e and f and g order by h',
    ]),
  )
  expect(ofSql('select from a where exists (select from b where c) group by d')).toContain(
    'select from a where true group by d',
  )
  expect(ofSql('select case when a and case when b then c end then d end')).toContain('select case when a then d end')
})

test('limits in SQL are taken in or left out, and numbers are one more, but not those of parameters', () => {
  expect(ofSql('a < $1 + 7')).toEqual(['a <= $1 + 7', 'a < $1 + 8'])
  expect(ofSql('a is not null')).toEqual(['a is null'])
  expect(ofSql('a is null')).toEqual(['a is not null'])
})

test('guards, conditions, calls and clauses of a query go', () => {
  expect(ofSource('function f(a) { if (!a) throw new E() }')).toEqual([
    'function f(a) { if (false) throw new E() }',
    'function f(a) { if (!(!a)) throw new E() }',
    'function f(a) { if (a) throw new E() }',
  ])
  expect(ofSource('await check(a && b)')).toEqual([';', 'await check((a))', 'await check((b))'])
  expect(ofSource("db.selectFrom('a').where('b', '=', c).execute().d")).toEqual(["db.selectFrom('a').execute().d"])
  expect(ofSource(`const a = sql\`where b = \${c} and d = \${e({ f })}\``)).toEqual([
    `const a = sql\`where d = \${e({ f })}\``,
    `const a = sql\`where b = \${c} \``,
  ])
})

test('what exists for the compiler alone has no mutants', () => {
  expect(ofSource('type A = 1 | 2; const a: { b: 3 } = c as D<4>')).toEqual([])
})

test('a view or a function is found with its whole body', () => {
  const source = 'create view a as\n  select 1;\ncreate function b() returns int language sql as $$\n  select 1;\n$$;\n'
  expect(findStatements(source).map(({ name, start, end }) => [name, source.slice(start, end)])).toEqual([
    ['a', 'create view a as\n  select 1;'],
    ['b', 'create function b() returns int language sql as $$\n  select 1;\n$$;'],
  ])
})

test('each function notes that it ran, whatever its body', () => {
  expect(markFunctions('a.ts', 'const a = () => b(() => ({}))\nfunction c() { return 1 }')).toBe(
    "const a = () => (globalThis.reachedFunctions?.add('a.ts:0'), b(() => (globalThis.reachedFunctions?.add('a.ts:1'), ({}))))\n" +
      "function c() {globalThis.reachedFunctions?.add('a.ts:2'); return 1 }",
  )
})

test('the same seed takes the same mutants, another one takes others', () => {
  const all = mutantsOf('server/accounts/roles.repository.ts')
  expect(sample(all, 'a', 5)).toEqual(sample([...all].reverse(), 'a', 5))
  expect(sample(all, 'a', 5)).not.toEqual(sample(all, 'b', 5))
})

test('each mutant that is said to change nothing still exists, with a reason', () => {
  for (const { file, before, after, why } of equivalent) {
    expect(mutantsOf(file)).toContainEqual(expect.objectContaining({ before, after }))
    expect(why).not.toBe('')
  }
})
