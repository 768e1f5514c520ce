import type { clientErrors } from '#contract/client-errors.ts'
import { withoutPersonalData } from '#server/platform/log.ts'
import type { Handlers } from '#server/platform/request-context.ts'

// Query strings carry e-mail addresses, fragments may carry anything: only the path is of use.
const pathOnly = (url: string) => url.replace(/^[a-z]+:\/\/[^/]+/i, '').split(/[?#]/, 1)[0] ?? ''
const tokens = /[A-Za-z0-9_-]{32,}/g
const redacted = (text: string | null | undefined) =>
  text ? withoutPersonalData(text).replaceAll(tokens, '[token]') : null

export const clientErrorsHandlers: Handlers<typeof clientErrors> = {
  report: async ({ input, log, requestId }) => {
    log.warn(
      {
        clientError: redacted(input.error),
        page: redacted(pathOnly(input.url)),
        stack: redacted(input.stack),
        componentStack: redacted(input.componentStack),
        requestId,
      },
      'the web app crashed',
    )
    return undefined
  },
}
