import { type AdapterPayload, Provider } from 'oidc-provider'
import { addressKey } from '#server/platform/limits/address.ts'
import type { System } from '#server/platform/system.ts'
import { runForProvider } from '../provider-problem.ts'
import { findRequest } from '../requests/request-record.ts'

/**
 * Bounds how many sign-ins somebody begins: each is stored before anyone has proven who they are. Without a session the
 * address counts, and otherwise the account, so that nobody who is signed in depends on what others do at their address.
 */
export async function limitBegunSignIn({ db, clock, limits }: System, payload: AdapterPayload): Promise<void> {
  const { ctx } = Provider
  const request = ctx && findRequest(ctx.req)
  if (!request) return
  const key = payload.accountId ?? payload.session?.accountId ?? addressKey(request.ip)
  await runForProvider(limits.take(db, [{ name: 'begunSignIn', key }], clock()))
}
