import type * as z from 'zod/mini'
import type { AuditEventName } from './audit-event.ts'
import type { BodyLimits } from './body-limits.ts'
import type { FreshProof, FreshProofRule } from './fresh-proof-rule.ts'
import type { Permission, PermissionTarget } from './permissions.ts'

/** `METHOD /path/{parameter}`, as in OpenAPI. */
export type RoutePath = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

/** The rate limits that a route may use; their values are server settings (docs/operations.md). */
export type RouteLimit = 'authType' | 'tokenLookup' | 'resetRequest' | 'bankidStart' | 'samlSetup'

type Schema = z.ZodMiniType
type Parameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameters<Rest>
  : never

/** Who may call: anyone, anyone with a session, actors with a permission, a service or a directory with a token of its own. */
export type Access = 'public' | 'signedIn' | 'machine' | 'scim' | Permission

/** Calls in which a machine proves itself; no session is read. */
export const isOfMachine = (access: Access): access is 'machine' | 'scim' => access === 'machine' || access === 'scim'

/**
 * Where the target of a permission comes from: the request, or `'loaded'`: the handler loads it and must call `allow`,
 * which `serveRoutes` enforces.
 */
type Target<Who extends Access, P extends Schema, I extends Schema> = Who extends Permission
  ? PermissionTarget<Who> extends undefined
    ? { target?: never }
    : { target: 'loaded' | ((request: { params: z.infer<P>; input: z.infer<I> }) => PermissionTarget<Who>) }
  : { target?: never }

/** The request body: `json` under /api, `form` for HTML forms, `scim` for JSON under either of its names (RFC 7644, 3.1). */
export type BodyKind = 'json' | 'form' | 'scim'
/**
 * A response without a schema: nothing (204), a redirect (303), a page (200), an image that never changes, for people who
 * are signed in or for everybody (200), or a file to keep: comma-separated values, JSON Lines, JSON or a page (200).
 */
export type AnswerKind = 'nothing' | 'redirect' | 'html' | 'png' | 'publicImage' | FileKind

export type FileKind = 'csv' | 'jsonLines' | 'json' | 'page'

/** An image that everybody may see. */
export interface PublicImage {
  type: 'image/png' | 'image/webp'
  bytes: Uint8Array
}

/** A file that is sent while it is made. */
export interface TextFile {
  /** Without folder; may have any letters. */
  fileName: string
  lines: AsyncIterable<string>
}

/**
 * The audit events that a call must record: exactly this one, one of a list, at most one of a list, one for each of many
 * people, one (or at most one) plus further ones for other people concerned, or none.
 */
export type AuditRule =
  | AuditEventName
  | readonly AuditEventName[]
  | { atMost: readonly AuditEventName[]; andFollowing?: AuditEventName | readonly AuditEventName[] }
  | { many: AuditEventName | readonly AuditEventName[] }
  | { one: AuditEventName; andFollowing: AuditEventName | readonly AuditEventName[] }
  | 'none'

/** The options of a call's declaration. */
export interface RouteOptions<P extends Schema, Q extends Schema, I extends Schema, A extends Schema | AnswerKind>
  extends BodyLimits {
  /** A one-line summary for the API description. */
  summary: string
  /** Path parameters; every `{name}` of the path is a key. */
  params?: P
  /** Query parameters. Unknown ones are refused. */
  query?: Q
  /** The body. Unknown fields are refused. */
  input?: I
  /** Default: `json`. */
  body?: BodyKind
  /** The response schema, an allow-list: other fields are never sent. */
  answer: A
  /** 201 for a call that creates something; default 200 with a schema, 204 without. */
  status?: 200 | 201
  /**
   * The audit event that the call records in its transaction; with a list, exactly one of them. Required for every unsafe
   * call: `'none'` if it changes no entity, `{atMost}` if a request may change nothing or only a failure is recorded,
   * `{one, andFollowing}` if other entities change too, `{many}` if it records one event for each of many people.
   */
  audit?: AuditRule
  /**
   * Of a PUT: the address of the GET whose answer it takes back, with `{name}` for a parameter or a field of the body. Read-only
   * fields that are as they were are accepted; changed ones are refused (product-rules 2.6).
   */
  takesBack?: `/api/${string}`
  /** `false` for a call that hashes or waits: it opens a short transaction with `transact` when it writes. */
  atomic?: false
  /** `false` for a public call that does not depend on the session: none is read. */
  session?: false
  /** Of a GET that changes nothing and decides no access: a replica, some seconds behind, may answer (docs/operations.md). */
  mayLag?: true
  /** A rate limit per client address, checked before anything else. */
  limit?: RouteLimit
  /** `failures`: a call that succeeds gives its point back. `byHandler`: the handler counts, by another key where it has one. */
  limitCounts?: 'failures' | 'byHandler'
  /** What counts the calls of one caller; default: the limit of every session and service. */
  callLimit?: 'decision' | 'scim'
  /** What a standard asks for where the query or body is wrong; default 422. */
  wrongInput?: 400
  /**
   * `true` for the few calls that are allowed while the user must change their password. `serveRoutes` refuses every other call
   * that needs a session with 403 `passwordMustChange`.
   */
  beforePasswordChange?: true
  /** `true` for the calls of a super user who must set up a second factor. The others are 403 `secondFactorRequired`. */
  beforeEnrolment?: true
}

/** One call. Types, validation, access, audit, OpenAPI and the access tests are derived from it. */
export interface Route<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  I extends Schema = Schema,
  A extends Schema | AnswerKind = Schema | AnswerKind,
  Who extends Access = Access,
> extends RouteOptions<P, Q, I, A> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path without the method, with `{name}` for parameters. */
  url: string
  access: Who
  target?: 'loaded' | ((request: { params: never; input: never }) => unknown)
  freshProof?: FreshProofRule
}

/** Options that are required for unsafe calls, and for paths with parameters. */
type RequiredOptions<Path extends RoutePath, P extends Schema> = (Path extends `GET ${string}`
  ? unknown
  : { audit: AuditRule }) &
  ([Parameters<Path>] extends [never]
    ? unknown
    : z.infer<P> extends Record<Parameters<Path>, unknown>
      ? { params: P }
      : { params: 'every {name} of the path needs a schema' })

/** Declares one call. An invalid declaration does not compile. */
export function route<
  const Path extends RoutePath,
  const Who extends Access,
  P extends Schema = z.ZodMiniUndefined,
  Q extends Schema = z.ZodMiniUndefined,
  I extends Schema = z.ZodMiniUndefined,
  const A extends Schema | AnswerKind = 'nothing',
>(
  path: Path,
  options: RouteOptions<P, Q, I, A> & { access: Who } & Target<Who, P, I> & FreshProof<Who> & RequiredOptions<Path, P>,
): Route<P, Q, I, A, Who> {
  const space = path.indexOf(' ')
  return {
    ...(options as unknown as Omit<Route<P, Q, I, A, Who>, 'method' | 'url'>),
    method: path.slice(0, space) as Route['method'],
    url: path.slice(space + 1),
  }
}

/** A group of calls of one resource: `{list: route(…), update: route(…)}`. */
// biome-ignore lint/suspicious/noExplicitAny: variance: a group holds routes of any schemas, each keeps its own types.
export type Routes = Record<string, Route<any, any, any, any, Access>>
type Infer<S> = S extends Schema ? z.infer<S> : undefined
// biome-ignore lint/suspicious/noExplicitAny: only the inferred position matters.
type Anything = any
/** The type of a call's body. */
export type InputOf<R> = R extends Route<Anything, Anything, infer I, Anything> ? Infer<I> : never
/** The type of a call's path parameters. */
export type ParamsOf<R> = R extends Route<infer P, Anything, Anything, Anything> ? Infer<P> : never
/** The type of a call's query parameters, after parsing. */
export type QueryOf<R> = R extends Route<Anything, infer Q, Anything, Anything> ? Infer<Q> : never
/** The type of a handler's result: the schema's type; a path for a redirect; HTML for a page; an image; a file. */
export type AnswerOf<R> =
  R extends Route<Anything, Anything, Anything, infer A>
    ? A extends Schema
      ? z.infer<A>
      : A extends 'nothing'
        ? undefined
        : A extends 'png'
          ? Uint8Array
          : A extends 'publicImage'
            ? PublicImage
            : A extends FileKind
              ? TextFile
              : string
    : never
