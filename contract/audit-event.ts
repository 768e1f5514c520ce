import * as rooms from './rooms.ts'

type Room = (typeof rooms)[keyof typeof rooms]
type EventsOf<One> = One extends { auditEvents: readonly (infer Name)[] } ? Name : never

export type AuditEventName = EventsOf<Room>

/** The names of all audit events (product-rules 8), as declared by the rooms. */
export const auditEventNames: readonly AuditEventName[] = Object.values(rooms).flatMap((room) =>
  'auditEvents' in room ? [...room.auditEvents] : [],
)
