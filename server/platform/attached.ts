/** Values that belong to one object, such as what was read for a request. */
export interface Attached<Owner extends object, Value> {
  get(owner: Owner): Value | undefined
  set(owner: Owner, value: Value): void
}

/**
 * Keeps a value as a property of the object it belongs to, under a symbol of its own. For objects that live as long as a
 * request: V8 frees what a long-lived WeakMap holds only in a full garbage collection, not in the frequent small ones,
 * so each request stayed in memory until then (decision 0058).
 */
export function createAttached<Owner extends object, Value>(name: string): Attached<Owner, Value> {
  const key = Symbol(name)
  type With = Owner & { [key]?: Value }
  return {
    get: (owner) => (Object.hasOwn(owner, key) ? (owner as With)[key] : undefined),
    set: (owner, value) => {
      ;(owner as With)[key] = value
    },
  }
}
