import { apiDescription } from '#contract/api-description/api-description.ts'
import { cookieNames } from '#server/oidc/cookies.ts'
import { findBuiltFile } from '#server/platform/http/built-file.ts'
import { createOpenApiDocument, type OpenApiDocument } from '#server/platform/http/openapi.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import packageFile from '../../../package.json' with { type: 'json' }
import { docsPage } from './docs-page.ts'

interface Description {
  document: OpenApiDocument
  page: string
}

/** @param webFolder the folder with the built web app, which has the page's stylesheet */
export function apiDescriptionHandlers(webFolder: string): Handlers<ReturnType<typeof apiDescription>> {
  let known: Description | undefined
  // Built on the first request, when all routes are registered, and cached while the server runs.
  const described = ({ http, config }: RequestContext): Description => {
    if (known) return known
    const routes = http.request.server.routeList
      .filter(({ method, route }) => route?.method === method)
      .flatMap(({ route }) => route ?? [])
    const document = createOpenApiDocument({
      routes,
      title: `${config.companyName} API`,
      version: packageFile.version,
      baseUrl: config.baseUrl,
      cookie: cookieNames(config).session,
    })
    known = { document, page: docsPage(document, findBuiltFile(webFolder, 'api-docs/style.css')) }
    return known
  }
  return {
    document: async (context) => ({ ...described(context as RequestContext).document }),
    page: async (context) => described(context as RequestContext).page,
  }
}

/** In production the description is for super users. */
export const createCallGroups: CreateCallGroups = ({ system: { config }, webFolder }) => [
  callGroup(apiDescription(config.production ? 'readApiDescription' : 'public'), apiDescriptionHandlers(webFolder)),
]
