// The public interface of this room: what sign-in and the app's page show of a brand, and the check of a logo.
import type { FastifyRequest } from 'fastify'
import { cookieNames, createCookieSigner, readSignedCookie } from '#server/oidc/cookies.ts'
import { hashId } from '#server/oidc/hash-id.ts'
import type { Interaction } from '#server/oidc/interactions.ts'
import type { Db } from '#server/platform/database/database.ts'
import { translateDatabaseError } from '#server/platform/database/database-problems.ts'
import type { PublicPageContent } from '#server/platform/http/public-pages.ts'
import type { System } from '#server/platform/system.ts'
import { findHueOfSession, findOrganizationOfHost, findShownBrand } from './brands.repository.ts'
import { signInLink } from './sign-in-link.ts'
import { storedLogo as checkLogo } from './stored-logo.ts'

/** What a sign-in page shows of the organisation that the sign-in names. */
export async function readShownBrand(
  db: Db,
  { organizationId }: Pick<Interaction, 'organizationId'>,
): Promise<Pick<PublicPageContent, 'hue' | 'logo' | 'darkLogo' | 'brandName'>> {
  const brand = organizationId === undefined ? undefined : await findShownBrand(db, organizationId)
  if (!brand) return {}
  const { hue, logo, darkLogo, name } = brand
  return {
    ...(hue !== null && { hue: String(hue) }),
    ...(logo !== null && { logo, ...(darkLogo !== null && { darkLogo }), brandName: name }),
  }
}

/** Finds where a request for another host name leads: to the sign-in of the organisation that has it. */
export const createFindSignInHost =
  ({ db, config }: System) =>
  async (host: string): Promise<string | undefined> => {
    const organizationId = await findOrganizationOfHost(db, host).catch(translateDatabaseError)
    return organizationId && signInLink(config, organizationId)
  }

/** Reads the hue of the app's page, so that it is drawn in it at once. The page also shows without the database. */
export function createReadHue({ db, config, keys, clock }: System) {
  const signatures = createCookieSigner(keys)
  return async (request: FastifyRequest): Promise<number | undefined> => {
    const session = readSignedCookie(request, cookieNames(config).session, signatures)
    return session === undefined ? undefined : findHueOfSession(db, hashId(session), clock()).catch(() => undefined)
  }
}

/** Turns an uploaded logo into what is stored. */
export const storedLogo = checkLogo
