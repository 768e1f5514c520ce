// The public interface of this room: what other screens show of these roles.
import * as more from './more-roles.tsx'
import * as words from './role-words.ts'
import * as all from './use-roles.ts'
import * as made from './what-they-made.tsx'

/** A person's roles beside the admin role, and the dialog that changes them. */
export const MoreRoles = more.MoreRoles
/** The roles of an organisation beside the admin role; none where there is no organisation. */
export const useRoles = all.useRoles
/** What a role is called, and what it allows in words. */
export const useRoleWords = words.useRoleWords
/** What somebody has made that loses its right with theirs. */
export const WhatTheyMade = made.WhatTheyMade
