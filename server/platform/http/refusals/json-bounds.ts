/**
 * Wider than anything that a call takes: a group of 10,000 members that a directory sends has 50,000 values. What a room reads
 * key by key, or level by level, is small then, whatever the body is.
 */
const most = { depth: 32, keys: 1000, values: 100_000 }

const codes = (signs: string) => [...signs].map((sign) => sign.charCodeAt(0))
const [quote, backslash, comma, openObject, openList, closeObject, closeList] = codes('"\\,{[}]')

/** True for JSON that is nested too deeply, has too many values, or too many keys in one object. Read before it is parsed. */
export function isTooLarge(json: string): boolean {
  // Of each object or list that is open: how many commas it may still have.
  const open: number[] = []
  let values = most.values
  for (let at = 0; at < json.length; at++) {
    const sign = json.charCodeAt(at)
    if (sign === quote) at = endOfString(json, at)
    else if (sign === openObject || sign === openList) {
      if (open.push(sign === openObject ? most.keys - 1 : most.values) > most.depth) return true
    } else if (sign === closeObject || sign === closeList) open.pop()
    else if (sign === comma) {
      const left = (open.pop() ?? most.keys) - 1
      if (left < 0 || --values < 0) return true
      open.push(left)
    }
  }
  return false
}

/** Where a string ends that begins here; the end of the text where it does not. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let slashes = 0
    while (json.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
  return json.length
}
