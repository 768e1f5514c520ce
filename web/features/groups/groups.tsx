// The public interface of this room: what other screens show of groups.
import { lazy } from 'react'
import * as person from './groups-of-person.tsx'
import * as all from './use-groups.ts'

/** Which of the organisation's services a group gives, with which roles and days. */
export const GroupServices = lazy(async () => ({ default: (await import('./group-services.tsx')).GroupServices }))
/** A person's groups, with what comes by each and the way out of it; nothing where an organisation uses no groups. */
export const GroupsOfPerson = person.GroupsOfPerson
/** The groups of an organisation; none where there is no organisation, or the reader does not manage them. */
export const useGroups = all.useGroups
/** The last days of a person in groups of an organisation, by hand. */
export const useEndsInGroups = all.useEndsInGroups
