import type { Attribute } from './schema.ts'

export const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'] as const
/** How a value is compared. `ne` is the opposite of `eq`, and `pr` compares nothing. */
export type Operator = Exclude<(typeof operators)[number], 'ne' | 'pr'>

/** A condition on a resource (RFC 7644, 3.4.2.2), whose attributes are known. `names` lead from the outside in. */
export type Filter =
  | { op: 'and' | 'or'; filters: Filter[] }
  | { op: 'not'; filter: Filter }
  /** One of the values of an attribute with several meets it. */
  | { op: 'some'; name: string; filter: Filter }
  | { op: 'always' | 'never' }
  | { op: 'pr'; names: string[] }
  | { op: Operator; names: string[]; attribute: Attribute; value: string | boolean }
