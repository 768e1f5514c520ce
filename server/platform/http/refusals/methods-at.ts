import type { FastifyInstance } from 'fastify'

/** Says by which methods an address can be called; none for an address that does not exist. */
export function createMethodsAt(app: FastifyInstance): (url: string) => string[] {
  let patterns: Map<string, { pattern: RegExp; methods: Set<string> }> | undefined
  return (url) => {
    // The routes are complete when the first request comes.
    patterns ??= byPattern(app)
    const path = url.split('?', 1)[0] ?? ''
    const found = [...patterns.values()].filter(({ pattern }) => pattern.test(path))
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort()
  }
}

function byPattern(app: FastifyInstance) {
  const patterns = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  for (const { method, url } of app.routeList) {
    const known = patterns.get(url)
    if (known) known.methods.add(method)
    else patterns.set(url, { pattern: toPattern(url), methods: new Set([method]) })
  }
  return patterns
}

/** Of a route such as `/users/:id` or `/assets/*`. */
function toPattern(url: string): RegExp {
  const parts = url.split(/(:\w+|\*)/).map((part) => {
    if (part.startsWith(':')) return '[^/]+'
    return part === '*' ? '.*' : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`)
}
