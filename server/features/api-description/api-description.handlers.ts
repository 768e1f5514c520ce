import type { apiDescription } from '#contract/api-description.ts'
import { cookieNames } from '#server/oidc/cookies.ts'
import { builtFile } from '#server/platform/built-file.ts'
import { type OpenApiDocument, openApiDocument } from '#server/platform/openapi.ts'
import type { Handlers, RequestContext } from '#server/platform/request-context.ts'
import packageFile from '../../../package.json' with { type: 'json' }
import { docsPage } from './docs-page.ts'

interface Description {
  document: OpenApiDocument
  page: string
}

/** @param webFolder what the build made, where the page's stylesheet is */
export function apiDescriptionHandlers(webFolder: string): Handlers<ReturnType<typeof apiDescription>> {
  let known: Description | undefined
  // Made when somebody first asks, when every route is there; it never changes while the server runs.
  const described = ({ http, config }: RequestContext): Description => {
    if (known) return known
    const routes = http.request.server.routeList
      .filter(({ method, route }) => route?.method === method)
      .flatMap(({ route }) => route ?? [])
    const document = openApiDocument({
      routes,
      title: `${config.companyName} API`,
      version: packageFile.version,
      baseUrl: config.baseUrl,
      cookie: cookieNames(config).session,
    })
    known = { document, page: docsPage(document, builtFile(webFolder, 'api-docs/style.css')) }
    return known
  }
  return {
    document: async (context) => ({ ...described(context as RequestContext).document }),
    page: async (context) => described(context as RequestContext).page,
  }
}
