import { passkeys } from '#contract/passkeys/passkeys.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { beginPasskey, createPasskey } from './create-passkey.ts'
import { listOwnPasskeys, notNow, removePasskey, renamePasskey } from './own-passkeys.ts'
import { beginProof, proveByPasskey } from './prove-by-passkey.ts'

export const passkeyHandlers: Handlers<typeof passkeys> = {
  list: listOwnPasskeys,
  begin: beginPasskey,
  create: createPasskey,
  rename: renamePasskey,
  remove: removePasskey,
  notNow,
  beginProof,
  prove: proveByPasskey,
}

export const createCallGroups: CreateCallGroups = () => [callGroup(passkeys, passkeyHandlers)]
