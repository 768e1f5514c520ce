import * as z from 'zod/mini'
import { language } from './roles.ts'
import { route } from './route.ts'

/** Public facts about the portal: who operates it and how to reach them. An empty phone number means none. */
export const portalInfo = z.object({
  companyName: z.string(),
  supportEmail: z.string(),
  supportPhone: z.string(),
  languages: z.array(language),
  /** A restored copy, which sends no messages. */
  quarantine: z.boolean(),
})

export const portal = {
  info: route('GET /api/portal', {
    summary: 'The operating company, its contact, and the languages of the portal',
    access: 'public',
    answer: portalInfo,
  }),
}
