import { inspect } from 'node:util'

/** A text that no log, message or answer can print by accident; whoever needs it says so with `reveal()`. */
export interface Secret {
  reveal(): string
  toString(): string
  toJSON(): string
}

/** Wraps a text so that every way of printing it gives `[secret]`. */
export function secret(text: string): Secret {
  const shown = () => '[secret]'
  return Object.freeze({ reveal: () => text, toString: shown, toJSON: shown, [inspect.custom]: shown })
}
