import { demand } from './refusal.ts'
import { digestMethods, signatureMethods } from './signature-algorithms.ts'
import { attributeOf, childrenNamed, childrenOf, is, onlyChild, optionalChild, textOf, type XmlElement } from './xml.ts'

const canonicalizations = new Set([
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
])
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

/**
 * A signature as SAML has it (Core, 5.4): over the element that it stands in and nothing else, by an algorithm that is
 * still good. It says nothing about who signed.
 *
 * @param id of the element that it stands in
 * @throws Refusal
 */
export function checkSignatureForm(signature: XmlElement, id: string | undefined): void {
  demand(id !== undefined && /^[A-Za-z_][\w.-]*$/.test(id), 'what is signed has no proper id')
  const info = onlyChild(signature, 'signature', 'SignedInfo')
  textOf(onlyChild(signature, 'signature', 'SignatureValue'))
  optionalChild(signature, 'signature', 'KeyInfo')
  demand(
    childrenOf(signature).every((part) =>
      ['SignedInfo', 'SignatureValue', 'KeyInfo'].some((name) => is(part, 'signature', name)),
    ),
    'a signature carries something along',
  )
  demand(
    canonicalizations.has(algorithmOf(info, 'CanonicalizationMethod')),
    'a signature is canonicalized in an unknown way',
  )
  demand(
    signatureMethods.has(algorithmOf(info, 'SignatureMethod')),
    'a signature is made with an algorithm that is not allowed',
  )
  const reference = onlyChild(info, 'signature', 'Reference')
  demand(attributeOf(reference, 'URI') === `#${id}`, 'a signature is over something else')
  demand(
    digestMethods.has(algorithmOf(reference, 'DigestMethod')),
    'a digest is made with an algorithm that is not allowed',
  )
  textOf(onlyChild(reference, 'signature', 'DigestValue'))
  const transforms = optionalChild(reference, 'signature', 'Transforms')
  const algorithms = transforms
    ? childrenNamed(transforms, 'signature', 'Transform').map((one) => attributeOf(one, 'Algorithm'))
    : []
  demand(
    algorithms.includes(enveloped) && algorithms.every((one) => one === enveloped || canonicalizations.has(one ?? '')),
    'a signature is over something that was transformed',
  )
}

const algorithmOf = (parent: XmlElement, name: string) =>
  attributeOf(onlyChild(parent, 'signature', name), 'Algorithm') ?? ''
