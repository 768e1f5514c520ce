import type { devBankId } from '#contract/dev-bankid/dev-bankid.ts'
import type { AnswerOf, InputOf, QueryOf } from '#contract/route.ts'

/** The simulator's phone app, which renders its own pages. */
export interface PhoneApp {
  /** Its path. */
  path: string
  /** Renders a page, or redirects. */
  show(query: QueryOf<typeof devBankId.page>, language: string): { html: string } | { goTo: string }
  /** @returns the redirect target */
  act(input: InputOf<typeof devBankId.act>): string
  waiting(): AnswerOf<typeof devBankId.waiting>
  /** Paths of additional style sheets and of its script. */
  styles: readonly string[]
  script: string
}
