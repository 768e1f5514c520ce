import { brands } from '#contract/brands/brands.ts'
import type { Config } from '#server/config.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { findBrand, findImage, saveBrand } from './brands.repository.ts'
import { signInLink } from './sign-in-link.ts'
import { storedLogo } from './stored-logo.ts'

export const brandsHandlers: Handlers<typeof brands> = {
  read: async ({ db, params, config }) => answerOf(config, found(await findBrand(db, params.id))),
  update: async ({ db, params, input, config, limits, now, transact }) => {
    const present = found(await findBrand(db, params.id))
    const times = [input.logo, input.darkLogo].filter((logo) => logo?.startsWith('data:')).length
    if (times > 0) await limits.take(db, [{ name: 'uploadedLogo', key: params.id, times }], now)
    // Before the transaction, which locks the organisation.
    const logo = await storedLogo('logo', input.logo, present.logo)
    const darkLogo = await storedLogo('darkLogo', input.darkLogo, present.darkLogo)
    return transact(async (trx, audit) => {
      const before = found(await findBrand(trx, params.id, true))
      const { hue = before.hue } = input
      const after = {
        ...before,
        hue,
        logo: logo ? logo.address : before.logo,
        darkLogo: darkLogo ? darkLogo.address : before.darkLogo,
      }
      if (after.darkLogo !== null && after.logo === null)
        throw new Problem(422, 'validationFailed', { issues: [{ path: 'logo', message: 'required' }] })
      if (JSON.stringify(after) === JSON.stringify(before)) return answerOf(config, before)
      await saveBrand(trx, params.id, {
        hue,
        ...(logo && { logo: logo.address, logoImage: logo.image }),
        ...(darkLogo && { darkLogo: darkLogo.address, darkLogoImage: darkLogo.image }),
      })
      audit({
        name: 'updateBrand',
        target: labelled(before),
        before: looksOf(before),
        after: looksOf(after),
        organizationIds: [params.id],
      })
      return answerOf(config, after)
    })
  },
  updateHost: async ({ db, params, input, config, audit }) => {
    const before = found(await findBrand(db, params.id, true))
    const { signInHost = before.signInHost } = input
    if (signInHost === before.signInHost) return answerOf(config, before)
    if (signInHost !== null && signInHost === new URL(config.baseUrl).hostname)
      throw new Problem(422, 'validationFailed', { issues: [{ path: 'signInHost', message: 'signInHostOwn' }] })
    await saveBrand(db, params.id, { signInHost })
    audit({
      name: 'updateSignInHost',
      target: labelled(before),
      before: { signInHost: before.signInHost },
      after: { signInHost },
      organizationIds: [params.id],
    })
    return answerOf(config, { ...before, signInHost })
  },
  logo: async ({ db, params }) => {
    const bytes = found(await findImage(db, `/brand/${params.file}`))
    return { type: params.file.endsWith('.png') ? 'image/png' : 'image/webp', bytes }
  },
}

type Brand = NonNullable<Awaited<ReturnType<typeof findBrand>>>

const answerOf = (config: Config, brand: Brand) => ({
  ...brand,
  signInLink: signInLink(config, brand.organizationId),
})

const labelled = ({ organizationId, name }: Brand) => ({ id: organizationId, label: name })

const looksOf = ({ hue, logo, darkLogo }: Brand) => ({ brandHue: hue, brandLogo: logo, brandDarkLogo: darkLogo })

export const createCallGroups: CreateCallGroups = () => [callGroup(brands, brandsHandlers)]
