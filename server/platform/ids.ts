import { v7 } from 'uuid'

/** A new identifier: UUIDv7, so that inserts append to the index (RFC 9562). */
export const newId = (): string => v7()
