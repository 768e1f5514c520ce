// The public interface of this room: how other rooms extend somebody's roles for a part of an organisation.
import * as extension from './extend-scoped.ts'

/** A member's roles for parts of an organisation that end soon, each with why the actor may not extend it. */
export const listEndingScoped = extension.listEndingScoped

/** Extends those that the actor may give, with an event for each. Call it once the person is locked. @returns what there was */
export const extendScoped = extension.extendScoped
