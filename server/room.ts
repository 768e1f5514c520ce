import type { Routes } from '#contract/route.ts'
import type { BankId } from './bankid/bankid.ts'
import type { PhoneApp } from './bankid/phone-app.ts'
import type { MountedProvider } from './oidc/mount-provider.ts'
import type { PublicPages } from './platform/http/public-pages.ts'
import type { Handlers } from './platform/http/request-context.ts'
import type { RecurringJob } from './platform/jobs/run-job.ts'
import type { System } from './platform/system.ts'

/** What some rooms need in addition to the request context. */
export interface AppParts {
  system: System
  provider: MountedProvider
  pages: PublicPages
  /** The folder with the built web app. */
  webFolder: string
  /** Undefined where BankID is not configured: production without BANKID_URL. */
  bankIdClient: BankId | undefined
  /** Present when BankID is simulated; never in production. */
  phoneApp: PhoneApp | undefined
  /** What runs by the clock. */
  jobs: readonly Pick<RecurringJob, 'name' | 'cron'>[]
}

/** A group of calls with their handlers. */
export interface CallGroup {
  routes: Routes
  handlers: Handlers<Routes>
}

/** Each room exports one as `createCallGroups`. A development-only room returns no groups in production. */
export type CreateCallGroups = (parts: AppParts) => readonly CallGroup[]

/** Pairs calls with their handlers; a missing handler does not compile. */
export const callGroup = <Group extends Routes>(routes: Group, handlers: Handlers<Group>): CallGroup => ({
  routes,
  // Each handler takes the context of its own call, which `serve` creates.
  handlers: handlers as Handlers<Routes>,
})
