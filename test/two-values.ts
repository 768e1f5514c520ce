import * as z from 'zod/mini'
import type { JsonSchema } from '#server/platform/http/openapi.ts'

export type TwoValues = readonly [first: unknown, second: unknown]

/** What forms may ask for. The personal numbers are of the official test series. */
const candidatesFor = (field: string, choices: readonly unknown[]) => {
  const addresses = ['one', 'other'].map((path) => `https://customer.example/${field}-${path}`)
  return [
    ...choices,
    ...[true, false, 7, 8],
    ...(/ur[il]$/i.test(field) ? addresses : []),
    ...[`${field} one`, `${field} other`],
    ...addresses,
    ...addresses.map((address) => [address]),
    ...['urn:example:one', 'urn:example:other'],
    ...['one@customer.example', 'other@customer.example', 'one.example', 'other.example'],
    ...['198112289874', '199908072391', '+46701740699', '+46701234567', '2026-03-02', '2026-03-03'],
  ]
}

/** The words that a schema chooses between, alone and as a list. */
function choicesOf(schema: JsonSchema): unknown[] {
  const inner = schema.anyOf ?? (schema.allOf as JsonSchema[] | undefined) ?? []
  const list = schema.items ? choicesOf(schema.items).map((choice) => [choice]) : []
  return [...(schema.enum ?? []).filter((choice) => choice !== ''), ...inner.flatMap(choicesOf), ...list]
}

/**
 * Two values that a field takes and that are not the same: the first is not what a form without the field has.
 *
 * @throws where no candidate fits: the field needs values in `test/entities.ts`
 */
export function twoValues(field: string, schema: z.ZodMiniType): TwoValues {
  const text = (value: unknown) => JSON.stringify(z.safeParse(schema, value).data ?? null)
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const accepted = candidatesFor(field, choicesOf(json)).filter((value) => z.safeParse(schema, value).success)
  const first = accepted.find((value) => text(value) !== text(undefined))
  const second = accepted.find((value) => text(value) !== text(first))
  if (first === undefined || second === undefined) throw new Error(`${field} needs two values in test/entities.ts`)
  return [first, second]
}
