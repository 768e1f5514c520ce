import { outlineOf } from './answer-outline.ts'
import { decodeAnswer } from './answer-text.ts'
import { type Assertion, type Expected, readAssertion } from './assertion.ts'
import { type Company, certificatesOf } from './company.repository.ts'
import { demand } from './refusal.ts'
import { signedAssertion } from './signed-assertion.ts'

/**
 * The assertion of an answer, once everything about it is right (facts in docs/security.md). Whether it comes for the
 * first time is for the database to say.
 *
 * @param base64 as the form carried it
 * @throws Refusal
 */
export async function verifyAnswer(base64: string, company: Company, expected: Expected): Promise<Assertion> {
  const { acsUrl, requestId } = expected
  const xml = decodeAnswer(base64)
  const outline = outlineOf(xml)
  const { destination, inResponseTo, issuer, responseSigned } = outline
  // Who signs a response has to say where to: Bindings, 3.5.5.2.
  demand(destination === acsUrl || (destination === undefined && !responseSigned), 'the answer is for another address')
  demand(inResponseTo === undefined || inResponseTo === requestId, 'the answer is for another request')
  const { wantAssertionsSigned, wantAuthnResponseSigned } = company
  const certificates = certificatesOf(company)
  const signers = { certificates, wantAssertionsSigned, wantAuthnResponseSigned }
  const assertion = readAssertion(await signedAssertion(xml, outline, signers), expected)
  demand(issuer === undefined || issuer === assertion.issuer, 'the answer is of another issuer')
  return assertion
}
