import { v7 } from 'uuid'

/** A new identifier: UUIDv7, so that rows arrive in the order of the index (RFC 9562). */
export const newId = (): string => v7()
