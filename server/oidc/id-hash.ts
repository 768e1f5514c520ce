import { hash } from 'node:crypto'

/** What is stored of an id that opens something: SHA-256, so that a dump of the database opens nothing. */
export const idHash = (id: string): Buffer => hash('sha256', id, 'buffer')
