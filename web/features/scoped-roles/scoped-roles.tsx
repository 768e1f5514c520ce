// The public interface of this room: who has a role for a part of an organisation.
import { lazy } from 'react'

/** Who puts people in a group beside those who manage it. */
export const GroupAdmins = lazy(async () => ({ default: (await import('./group-admins.tsx')).GroupAdmins }))
/** Who is responsible for a service in an organisation. */
export const ServiceOwners = lazy(async () => ({ default: (await import('./service-owners.tsx')).ServiceOwners }))
