import { hash } from 'node:crypto'

/** Hashes an id that works as a credential (SHA-256), so that a database dump contains no usable ids. */
export const hashId = (id: string): Buffer => hash('sha256', id, 'buffer')
