/**
 * A dangerous call needs a proof of the last minutes, by the strongest factor that the account has (product-rules 5). `true`:
 * always. `'loaded'`: the handler sees whether this request is dangerous and must call `requireFreshProof`, which
 * `serveRoutes` enforces. Never of calls without a person: a machine proves itself in each request.
 *
 * `'not needed: …'` says why a call needs none that changes what proves a person, or something of the caller's own account.
 */
export type FreshProofRule = true | 'loaded' | `not needed: ${string}`
/** What a call may declare, by who may call it. */
export type FreshProof<Who extends string> = Who extends 'machine' | 'scim'
  ? { freshProof?: never }
  : Who extends 'public'
    ? { freshProof?: `not needed: ${string}` }
    : { freshProof?: FreshProofRule }
