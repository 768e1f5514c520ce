import * as z from 'zod/mini'
import { id, limited, message } from '#contract/fields/fields.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { secondFactorKind } from '#contract/second-factors.ts'

const between = (least: number, most: number) =>
  z.nullable(
    z
      .int(message('invalidNumber'))
      .check(z.minimum(least, message('outOfRange')), z.maximum(most, message('outOfRange'))),
  )

/** What an organisation asks of the sign-in of its people. */
export const signInRulesForm = z.strictObject({
  /** The second factors that count, where the sign-in method asks for one; null: all. */
  secondFactors: z.nullable(z.array(secondFactorKind).check(limited(4), z.minLength(1, message('required')))),
  /** From this day its admins need a passkey or security key. */
  strongAdminsFrom: z.nullable(z.iso.date(message('invalidDate'))),
  sessionIdleMinutes: between(5, 1440),
  sessionMaxHours: between(1, 168),
  maxPasswordAgeDays: between(30, 3650),
})
export type SignInRulesForm = z.infer<typeof signInRulesForm>

export const signInRulesLabels: FieldLabels<SignInRulesForm> = {
  secondFactors: 'secondFactors',
  strongAdminsFrom: 'strongAdminsFrom',
  sessionIdleMinutes: 'sessionIdleMinutes',
  sessionMaxHours: 'sessionMaxHours',
  maxPasswordAgeDays: 'maxPasswordAgeDays',
}

/** Of an organisation. */
export const signInRules = z.extend(z.object(signInRulesForm.shape), { organizationId: id })
export type SignInRules = z.infer<typeof signInRules>
