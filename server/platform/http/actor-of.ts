import type { Directory, Session } from '../system.ts'

/** Whom the events of a request name as who did it. */
export const actorOf = ({
  session,
  directory,
}: {
  session?: Session | undefined
  directory?: Directory | undefined
}): { id: string; label: string; organizationIds: string[] } | undefined =>
  session ? personOf(session) : directory && directoryOf(directory)

const personOf = ({ actor, label, heldBack }: Session) => ({
  id: actor.accountId,
  label,
  // Also organisations that this session cannot reach: the actor is their member.
  organizationIds: [...actor.organizations, ...heldBack.organizations].map((own) => own.organizationId),
})

/** An organisation acts by its directory. */
const directoryOf = ({ organizationId, name }: Directory) => ({
  id: organizationId,
  label: `${name} (SCIM)`,
  organizationIds: [organizationId],
})
