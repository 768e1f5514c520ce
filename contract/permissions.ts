import type { Actor } from './actor.ts'
import * as rooms from './rooms.ts'

type Room = (typeof rooms)[keyof typeof rooms]
type RulesOf<One> = One extends { permissions: infer Rules } ? Rules : never
type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
type Permissions = Merged<RulesOf<Room>>

/**
 * The permissions of product-rules 5, as declared by the rooms.
 *
 * A rule with a target is also called without one, meaning "for any target?". `serveRoutes` answers 403 if the actor never has
 * the permission, and 404 if only this target is out of reach, so that nothing can be probed. The web app hides actions
 * by the same rules.
 */
export const permissions: Permissions = Object.assign(
  {},
  ...Object.values(rooms).map((room) => ('permissions' in room ? room.permissions : {})),
)

export type Permission = keyof Permissions
/** The target type of a permission; undefined if it depends only on the actor. */
export type PermissionTarget<Name extends Permission> = Permissions[Name] extends (
  actor: Actor,
  target?: infer Target,
) => boolean
  ? unknown extends Target
    ? undefined
    : NonNullable<Target>
  : never

/** True if the actor has the permission for the target; without a target, true if for any target. */
export function can<Name extends Permission>(actor: Actor, name: Name, target?: PermissionTarget<Name>): boolean {
  const rule: (actor: Actor, target?: PermissionTarget<Name>) => boolean = permissions[name] as never
  return rule(actor, target)
}
