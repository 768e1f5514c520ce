import { inspect } from 'node:util'

/** A text that cannot be printed by accident in a log, message or response; `reveal()` returns it. */
export interface Secret {
  reveal(): string
  toString(): string
  toJSON(): string
}

/** Wraps a text so that printing it in any way gives `[secret]`. */
export function secret(text: string): Secret {
  const mask = () => '[secret]'
  return Object.freeze({ reveal: () => text, toString: mask, toJSON: mask, [inspect.custom]: mask })
}
