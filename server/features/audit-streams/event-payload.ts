/** A sealed event, with ids and without names, addresses and numbers of people. */
export interface StreamedEvent {
  seq: number
  id: string
  name: string
  createdAt: Date
  actorId: string | null
  targetId: string | null
  organizationIds: string[]
  requestId: string | null
}

/** The body of a webhook, and the message of the other streams. */
export const payloadOf = ({ name, createdAt, seq, id, ...ids }: StreamedEvent): string =>
  JSON.stringify({ type: `audit.${name}`, timestamp: createdAt.toISOString(), data: { seq, eventId: id, ...ids } })
