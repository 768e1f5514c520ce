import { type RawBuilder, sql } from 'kysely'
import { createKeyedSemaphore } from '#server/credentials/keyed-semaphore.ts'
import { refuseSlowSearch } from '#server/platform/database/search.ts'
import type { Filter, Operator } from './protocol/filter-tree.ts'

type Sql = RawBuilder<unknown>
type Condition = RawBuilder<boolean>

/** Where the values stand that a filter asks for. */
export interface Columns {
  /** A text, a boolean or a time; null for none. */
  value: (names: readonly string[]) => Sql
  /** A text as `folded` makes it, where an index has it. */
  folded?: (names: readonly string[]) => Sql | undefined
  /** What an index finds by an equal value; the comparison itself is asked, too. */
  byIndex?: (names: readonly string[], value: string) => Condition | undefined
  /** One of the values of an attribute meets a filter. */
  some?: (name: string, filter: Filter) => Condition
}

/** A filter as a condition on rows. What the caller wrote is a parameter, never a part of the statement. */
export function conditionOf(filter: Filter, columns: Columns): Condition {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const each = filter.filters.map((one) => conditionOf(one, columns))
      return sql`(${sql.join(each, filter.op === 'and' ? sql` and ` : sql` or `)})`
    }
    case 'not':
      // A comparison with no value is null.
      return sql`not coalesce(${conditionOf(filter.filter, columns)}, false)`
    case 'always':
    case 'never':
      return filter.op === 'always' ? sql`true` : sql`false`
    case 'some':
      return columns.some?.(filter.name, filter.filter) ?? sql`false`
    case 'pr':
      return sql`(${columns.value(filter.names)} is not null)`
    default: {
      const found = filter.op === 'eq' && columns.byIndex?.(filter.names, String(filter.value))
      const compared = comparison(filter, columns)
      return found ? sql`(${found} and ${compared})` : compared
    }
  }
}

type Comparison = Extract<Filter, { op: Operator }>

function comparison({ op, names, attribute, value }: Comparison, columns: Columns): Condition {
  const column = columns.value(names)
  if (typeof value === 'boolean') return sql`((${column})::boolean = ${value})`
  if (attribute.kind === 'dateTime') return compared[op](sql`(${column})`, sql`${value}::timestamptz`)
  if (attribute.exact) return compared[op](inOrderOf(op, sql`(${column})`), sql`${value}::text`)
  const folded = columns.folded?.(names) ?? sql`folded(${column})`
  return compared[op](inOrderOf(op, folded), sql`folded(${value}::text)`)
}

/** Texts come in the order of their characters' numbers, whatever the database sorts by. */
const inOrderOf = (op: Operator, text: Sql): Sql => (/^[gl][te]$/.test(op) ? sql`${text} collate "C"` : text)

const compared: Record<Operator, (column: Sql, value: Sql) => Condition> = {
  eq: (column, value) => sql`(${column} = ${value})`,
  co: (column, value) => sql`(strpos(${column}, ${value}) > 0)`,
  sw: (column, value) => sql`starts_with(${column}, ${value})`,
  ew: (column, value) => sql`(right(${column}, length(${value})) = ${value})`,
  gt: (column, value) => inOrder(column, sql`>`, value),
  ge: (column, value) => inOrder(column, sql`>=`, value),
  lt: (column, value) => inOrder(column, sql`<`, value),
  le: (column, value) => inOrder(column, sql`<=`, value),
}

const inOrder = (column: Sql, operator: Sql, value: Sql): Condition => sql`(${column} ${operator} ${value})`

/** The text that every value has which meets a filter, if it says so: an index finds it. */
export function equalTo(filter: Filter, name: string): string | undefined {
  if (filter.op === 'eq' && filter.names.length === 1 && filter.names[0] === name) return String(filter.value)
  const each = filter.op === 'and' ? filter.filters.map((one) => equalTo(one, name)) : []
  return each.find((one) => one !== undefined)
}

/** Whether an index finds what meets a filter, as all do that directories send; any other is asked of every resource. */
export function isFoundByIndex(filter: Filter): boolean {
  switch (filter.op) {
    case 'always':
    case 'never':
      return true
    case 'eq':
      return filter.attribute.indexed ?? false
    case 'some':
      return equalTo(filter.filter, 'value') !== undefined && filter.name !== 'schemas'
    case 'and':
      return filter.filters.some(isFoundByIndex)
    case 'or':
      return filter.filters.every(isFoundByIndex)
    default:
      return false
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** By an index over ids; what is no id is nobody's. */
export const isId = (column: Sql, value: string): Condition =>
  uuid.test(value) ? sql`${column} = ${value}::uuid` : sql`false`

/** What `meta` says of a row. */
export const metaColumns = (location: string, resourceType: string, id: Sql): Record<string, Sql> => ({
  meta: sql`true`,
  'meta.resourceType': sql`${resourceType}::text`,
  'meta.location': sql`${location}::text || ${id}`,
  'meta.version': sql`'W/"' || version || '"'`,
  'meta.created': sql`created_at`,
  'meta.lastModified': sql`updated_at`,
})

// One at a time of an organisation, and three of all: the others keep their connections to the database.
const ofOrganization = createKeyedSemaphore({ maxRunning: 1, maxWaiting: 20 })
const ofAll = createKeyedSemaphore({ maxRunning: 3, maxWaiting: 100 })

/**
 * Runs a search by a filter. One that no index answers waits for its turn.
 *
 * @throws Problem 422 `scimFilterTooSlow`; 503 `tooBusy` when too many wait
 */
export const search = <Result>(
  organizationId: string,
  filter: Filter,
  find: () => Promise<Result>,
): Promise<Result> => {
  const finding = () => find().catch(refuseSlowSearch('scimFilterTooSlow'))
  return isFoundByIndex(filter) ? finding() : ofOrganization(organizationId, () => ofAll('all', finding))
}
