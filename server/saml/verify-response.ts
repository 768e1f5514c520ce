import { type Assertion, type Expectations, readAssertion } from './assertion.ts'
import { decodeResponse } from './decode-response.ts'
import { ensure, ensureAll } from './refusal.ts'
import { checkStructure } from './response-structure.ts'
import { extractSignedAssertion, type SignatureRequirements } from './signed-assertion.ts'

/**
 * Verifies a response completely (server/saml/README.md) and returns its assertion. The caller checks for replay in the
 * database.
 *
 * @param base64 the posted form field
 * @throws Refusal
 */
export async function verifyResponse(
  base64: string,
  signers: SignatureRequirements,
  expected: Expectations,
): Promise<Assertion> {
  const { acsUrl, requestId } = expected
  const xml = decodeResponse(base64)
  const outline = checkStructure(xml, expected)
  const { destination, inResponseTo, issuer, responseSigned } = outline
  return ensureAll(
    [
      // A signed response must have a destination: Bindings, 3.5.5.2.
      () =>
        ensure(
          destination === acsUrl || (destination === undefined && !responseSigned),
          'the answer is for another address',
          'destination',
        ),
      () =>
        ensure(
          inResponseTo === undefined || inResponseTo === requestId,
          'the answer is for another request',
          'otherRequest',
        ),
    ],
    async () => {
      const assertion = await readAssertion(
        await extractSignedAssertion(xml, outline, signers, expected.onDecrypted),
        expected,
      )
      ensure(issuer === undefined || issuer === assertion.issuer, 'the answer is of another issuer', 'issuer')
      return assertion
    },
  )
}
