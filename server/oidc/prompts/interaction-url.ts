import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { System } from '#server/platform/system.ts'
import { runForProvider } from '../provider-problem.ts'
import { organizationParameter } from '../reach/chosen-organization.ts'
import { chooseOrganization, chooseOrganizationUrl } from './choose-organization.ts'
import { enterOrganization, enterOrganizationUrl } from './enter-organization.ts'
import { ownAccount } from './own-account.ts'
import { ownService } from './service-entry.ts'
import { strongerSignIn, strongerSignInUrl } from './stronger-sign-in.ts'

type InteractionUrl = NonNullable<NonNullable<Configuration['interactions']>['url']>

/** Where a person goes on whom the provider has to ask something. */
export function createInteractionUrl(system: Pick<System, 'db'>): InteractionUrl {
  return async (ctx, { uid, params, prompt }) => {
    if (prompt.name === ownAccount) return '/account?tab=password'
    if (prompt.name === enterOrganization) return enterOrganizationUrl(ctx.oidc)
    if (prompt.name === chooseOrganization) return chooseOrganizationUrl(ctx.oidc)
    if (prompt.name === strongerSignIn) return strongerSignInUrl(ctx.oidc)
    if (prompt.name === ownService) return noAccessUrl(ctx.oidc)
    const email =
      typeof params.login_hint === 'string'
        ? params.login_hint.toWellFormed()
        : isSamePerson(prompt.reasons)
          ? await findOwnEmail(system, ctx)
          : undefined
    return `/interaction/${uid}${email ? `?${new URLSearchParams({ email })}` : ''}`
  }
}

function noAccessUrl({ client, params }: KoaContextWithOIDC['oidc']): string {
  const organizationId = params?.[organizationParameter]
  const search =
    organizationId === undefined ? '' : `?${new URLSearchParams({ organizationId: String(organizationId) })}`
  return `/no-access/${(client as unknown as { service_id: string }).service_id}${search}`
}

/** The person of the session shall prove once more who they are, or choose; with any other reason it may be somebody else. */
const isSamePerson = (reasons: readonly string[]) =>
  reasons.every((reason) => reason === 'login_prompt' || reason === 'max_age' || reason === 'select_account')

async function findOwnEmail({ db }: Pick<System, 'db'>, ctx: KoaContextWithOIDC): Promise<string | undefined> {
  const { accountId } = ctx.oidc.session ?? {}
  if (!accountId) return undefined
  const query = db.selectFrom('users').select('email').where('accountId', '=', accountId).executeTakeFirst()
  return (await runForProvider(query))?.email
}
