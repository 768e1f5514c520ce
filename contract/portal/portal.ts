import * as z from 'zod/mini'
import { language } from '#contract/roles.ts'
import { route } from '#contract/route.ts'

/** Public facts about the portal: who operates it and how to reach them. An empty phone number means none. */
export const portalInfo = z.object({
  companyName: z.string(),
  supportEmail: z.string(),
  supportPhone: z.string(),
  languages: z.array(language),
  /** Pages of ours, or the operator's own. */
  privacyUrl: z.string(),
  accessibilityUrl: z.string(),
  /** A restored copy, which sends no messages. */
  quarantine: z.boolean(),
})

export const portal = {
  info: route('GET /api/portal', {
    summary: 'The operating company, its contact, and the languages of the portal',
    access: 'public',
    answer: portalInfo,
  }),
  privacyPage: route('GET /privacy', {
    summary: "How personal data is handled; leads to the operator's own page where there is one",
    access: 'public',
    session: false,
    answer: 'html',
  }),
  keptPage: route('GET /privacy/kept', {
    summary: 'What is kept, and for how long',
    access: 'public',
    session: false,
    answer: 'html',
  }),
  accessibilityPage: route('GET /accessibility', {
    summary: "The accessibility statement; leads to the operator's own page where there is one",
    access: 'public',
    session: false,
    answer: 'html',
  }),
}
