import * as z from 'zod/mini'
import { id, message } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { brandForm, signInHostForm } from './brand-form.ts'

/** The brand of an organisation, as its admins see it. */
export const organizationBrand = z.object({
  organizationId: id,
  name: z.string(),
  hue: z.nullable(z.int()),
  /** Addresses of images. */
  logo: z.nullable(z.string()),
  darkLogo: z.nullable(z.string()),
  /** Leads to the sign-in with this brand; set by super users. */
  signInHost: z.nullable(z.string()),
  /** A link that leads to it, too. */
  signInLink: z.string(),
})
export type OrganizationBrand = z.infer<typeof organizationBrand>

const ofOrganization = {
  params: z.strictObject({ id }),
  answer: organizationBrand,
} as const

export const brands = {
  read: route('GET /api/organizations/{id}/brand', {
    ...ofOrganization,
    summary: 'What an organisation shows its people at sign-in, in the launcher and in mails',
    access: 'readSettings',
    target: ({ params }) => ({ organizationId: params.id }),
  }),
  update: route('PUT /api/organizations/{id}/brand', {
    ...ofOrganization,
    takesBack: '/api/organizations/{id}/brand',
    summary: 'Changes hue and logos; fields that are left out stay',
    access: 'manageSettings',
    target: ({ params }) => ({ organizationId: params.id }),
    bodyLimit: 256 * 1024,
    input: z.partial(brandForm),
    audit: { atMost: ['updateBrand'] },
    atomic: false,
  }),
  updateHost: route('PUT /api/organizations/{id}/sign-in-host', {
    ...ofOrganization,
    takesBack: '/api/organizations/{id}/brand',
    summary:
      "Sets the host name that leads to the organisation's sign-in; 409 signInHostTaken for another organisation's, 422 for the portal's own",
    access: 'manageOrganizations',
    freshProof: true,
    input: z.partial(signInHostForm),
    audit: { atMost: ['updateSignInHost'] },
  }),
  logo: route('GET /brand/{file}', {
    summary: "An organisation's logo; its address changes with the image",
    access: 'public',
    session: false,
    params: z.strictObject({ file: z.string().check(z.regex(/^[0-9a-f]{64}\.(png|webp)$/, message('notFound'))) }),
    answer: 'publicImage',
  }),
}
