import type * as z from 'zod/mini'
import type { AuditEventName } from './audit-event.ts'
import type { Permission, PermissionTarget } from './permissions.ts'

/** `METHOD /path/{parameter}`, as in the table of calls of the specification. */
export type RoutePath = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`

/** The limits that a route may name; their numbers are settings of the server (security.md, Limits). */
export type RouteLimit = 'authType' | 'tokenLookup' | 'resetRequest' | 'bankidStart'

type Schema = z.ZodMiniType
type Parameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameters<Rest>
  : never

/** Anybody, anybody with a session, or whom a permission lets in. */
export type Access = 'public' | 'signedIn' | Permission

/**
 * A permission that needs a target says where it comes from: from the request, or `'loaded'`: the handler loads the
 * thing and calls `allow`, and the door refuses to answer when it forgot.
 */
type Target<Who extends Access, P extends Schema, I extends Schema> = Who extends Permission
  ? PermissionTarget<Who> extends undefined
    ? { target?: never }
    : { target: 'loaded' | ((request: { params: z.infer<P>; input: z.infer<I> }) => PermissionTarget<Who>) }
  : { target?: never }

/** The body of a request: `json` under /api, `form` for what a browser posts by itself. */
export type BodyKind = 'json' | 'form'
/** What an answer is when it has no schema: nothing (204), a redirect (303), or a page (200). */
export type AnswerKind = 'nothing' | 'redirect' | 'html'

/**
 * Which event a call leaves: this one, one of these, one of these or none, this one for each of many people, this one
 * and one for each of the people whom it concerns too, or none.
 */
export type AuditRule =
  | AuditEventName
  | readonly AuditEventName[]
  | { atMost: readonly AuditEventName[] }
  | { many: AuditEventName }
  | { one: AuditEventName; andFollowing: AuditEventName }
  | 'none'

/** What a declaration says besides its method and path. */
export interface RouteOptions<P extends Schema, Q extends Schema, I extends Schema, A extends Schema | AnswerKind> {
  /** One line for the API description. */
  summary: string
  /** Path parameters; every `{name}` of the path is a key. */
  params?: P
  /** Query parameters. Unknown ones are refused. */
  query?: Q
  /** The body. Unknown fields are refused. */
  input?: I
  /** `json` unless it says otherwise. */
  body?: BodyKind
  /** The answer's schema, an allow-list: a field that it does not name never leaves. */
  answer: A
  /** 201 for a call that creates; else 200 with a schema, 204 without. */
  status?: 200 | 201
  /**
   * The one event that the call leaves, written in its transaction; with a list, exactly one of them.
   * Every unsafe call says it; `'none'` for a call that changes no entity, `{atMost}` where only a failure leaves one,
   * `{many}` where the call does the same to any number of people and leaves one for each,
   * `{one, andFollowing}` where people change along with what they belong to.
   */
  audit?: AuditRule
  /** `false` for a call that must not hold a transaction open while it hashes or waits; it opens its own with `transact`. */
  atomic?: false
  /** `false` for a public call that is the same whoever asks: no session is read for it. */
  session?: false
  /** A limit per client address that is taken before anything else happens. */
  limit?: RouteLimit
  /** Bytes; 64 KB unless it says otherwise. */
  bodyLimit?: number
  /**
   * `true` for the few calls that somebody may make whose password must be changed first. The door refuses every other
   * call that needs a session with 403 `passwordMustChange`.
   */
  beforePasswordChange?: true
}

/** One call, declared once: types, validation, access, audit, OpenAPI and the access tests come from here. */
export interface Route<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  I extends Schema = Schema,
  A extends Schema | AnswerKind = Schema | AnswerKind,
  Who extends Access = Access,
> extends RouteOptions<P, Q, I, A> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path without the method, with `{name}` for parameters. */
  url: string
  access: Who
  target?: 'loaded' | ((request: { params: never; input: never }) => unknown)
}

/** What an unsafe call must say besides, and what a path with parameters must. */
type Duties<Path extends RoutePath, P extends Schema> = (Path extends `GET ${string}`
  ? unknown
  : { audit: AuditRule }) &
  ([Parameters<Path>] extends [never]
    ? unknown
    : z.infer<P> extends Record<Parameters<Path>, unknown>
      ? { params: P }
      : { params: 'every {name} of the path needs a schema' })

/** Declares one call. What is wrong with a declaration does not compile. */
export function route<
  const Path extends RoutePath,
  const Who extends Access,
  P extends Schema = z.ZodMiniUndefined,
  Q extends Schema = z.ZodMiniUndefined,
  I extends Schema = z.ZodMiniUndefined,
  const A extends Schema | AnswerKind = 'nothing',
>(
  path: Path,
  options: RouteOptions<P, Q, I, A> & { access: Who } & Target<Who, P, I> & Duties<Path, P>,
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
// biome-ignore lint/suspicious/noExplicitAny: only the position that is inferred matters.
type Anything = any
/** What a call takes as its body. */
export type InputOf<R> = R extends Route<Anything, Anything, infer I, Anything> ? Infer<I> : never
/** What a call takes as path parameters. */
export type ParamsOf<R> = R extends Route<infer P, Anything, Anything, Anything> ? Infer<P> : never
/** What a call takes as query parameters, after parsing. */
export type QueryOf<R> = R extends Route<Anything, infer Q, Anything, Anything> ? Infer<Q> : never
/** What a call answers: the schema's type; a path for a redirect; HTML for a page. */
export type AnswerOf<R> =
  R extends Route<Anything, Anything, Anything, infer A>
    ? A extends Schema
      ? z.infer<A>
      : A extends 'nothing'
        ? undefined
        : string
    : never
