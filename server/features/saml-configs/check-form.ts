import type { SamlConfigForm } from '#contract/saml-configs/saml-configs.ts'
import type { Config } from '#server/config.ts'
import { refuseInsecureUrls } from '#server/platform/insecure-urls.ts'
import { Problem } from '#server/platform/problem.ts'
import { parseUsableCertificates } from '#server/saml/certificates.ts'

/** What only the server knows: whether this is production, and whether a certificate can be used. */
export function checkForm(config: Config, form: SamlConfigForm): void {
  refuseInsecureUrls(config, form, ['url', 'domain'])
  const { logoutUrl } = form
  if (logoutUrl !== null) refuseInsecureUrls(config, { logoutUrl }, ['logoutUrl'])
  // What is signed by the identity provider nobody else can have changed: without it CBC would be an oracle.
  if (form.cbcAllowed && !form.wantAuthnResponseSigned)
    throw new Problem(422, 'validationFailed', { issues: [{ path: 'cbcAllowed', message: 'cbcNeedsSignedResponse' }] })
  if (parseUsableCertificates(form.certificate).length === 0)
    throw new Problem(422, 'validationFailed', {
      issues: [{ path: 'certificate', message: 'certificateNotUsable' }],
    })
}
