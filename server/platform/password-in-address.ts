import { WrongValue } from './wrong-value.ts'

/** How a password is written in an address. */
export const encodings = 'in an address, @ is %40, / is %2F, ? is %3F, # is %23, : is %3A and % is %25'

/** @throws WrongValue where a part of the user or password is read as another part of the address, or cannot be read */
export function refuseRawPassword(address: string): void {
  // One of these signs ends the server: with an @ behind it, it stood in the password.
  const isCut = /^[a-z]+:\/\/(?:[^@/?#]*(?:[/#][^?]*|\?[^=]*)@|[^/?#]*[/?#][^=]*@[^/?#]*\/)/i.test(address)
  // Of several servers, a second @ would be taken for a part of the first one's name.
  const isSplit = /^[a-z]+:\/\/[^/?#]*@[^/?#]*@[^/?#]*,/i.test(address)
  if (isCut || isSplit || !isDecodable(address))
    throw new WrongValue(`has a user or password that is not percent-encoded: ${encodings}`)
}

/** The driver encodes a percent sign that stands alone by itself, and fails at other bytes than those of UTF-8. */
function isDecodable(text: string): boolean {
  if (/%(?![0-9a-f]{2})/i.test(text)) return true
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
