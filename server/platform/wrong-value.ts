/** An invalid value; the message completes a sentence that begins with the name of the setting or option. */
export class WrongValue extends Error {
  override name = 'WrongValue'
}
