// The public interface of this room: how other rooms make a group, and extend what ends with one.
import * as extension from './extend-in-groups.ts'
import * as people from './group-people.repository.ts'
import * as handlers from './groups.handlers.ts'

/** The days of some people in groups, and of services there, with a last day until some day. */
export const listEndingInGroups = people.listEnding

/** Extends a person's days in the groups of an organisation, with an event for each. Call it before the person is locked. */
export const extendInGroups = extension.extendInGroups

/** Whether a later last day of the person does it; where a service of the group ends, the group says when. */
export const canExtendInGroup = extension.canExtend

/** Creates a group, with its event. The caller has checked that the actor may. */
export const createGroup = handlers.createGroup
