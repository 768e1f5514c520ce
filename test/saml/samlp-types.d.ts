declare module 'samlp' {
  import type { RequestHandler } from 'express'

  /** As its README describes them. */
  interface Options {
    [option: string]: unknown
  }
  const samlp: Record<'auth' | 'logout' | 'metadata', (options: Options) => RequestHandler>
  export default samlp
}

declare module 'samlp/lib/sessionParticipants' {
  export default class SessionParticipants {
    constructor(participants: object[])
  }
}
