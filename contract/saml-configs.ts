import * as z from 'zod/mini'
import { route } from './route.ts'

/** A company sign-in, as much of it as one needs to choose it. */
export const samlConfigSummary = z.object({ id: z.int(), name: z.string(), domain: z.string() })

export const samlConfigs = {
  list: route('GET /api/saml-configs', {
    summary: 'All SAML configurations, by name',
    access: 'manageSamlConfigs',
    answer: z.array(samlConfigSummary),
  }),
}
