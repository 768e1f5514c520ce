import { acceptLabels } from './accept-form.ts'
import { refusalLabels } from './access-requests.ts'
import { auditStreamLabels } from './audit-streams.ts'
import { clientLabels } from './client-form.ts'
import { noticeLabels } from './notices.ts'
import { oidcConfigLabels } from './oidc-configs.ts'
import { organizationLabels } from './organizations.ts'
import { passwordResetLabels } from './password-reset.ts'
import { passwordLabels, profileLabels } from './profile.ts'
import { samlBindingLabels } from './saml-bindings.ts'
import { samlConfigLabels } from './saml-configs.ts'
import { confirmDomainLabels } from './saml-domains.ts'
import { samlOptionLabels } from './saml-options.ts'
import { setupApprovalLabels, setupRejectionLabels } from './saml-setups.ts'
import { serviceLabels } from './services.ts'
import { templateLabels } from './template-editor.ts'
import { personLabels } from './user-forms.ts'

/** The labels of every form: the audit log calls a changed field what its form calls it. The last of two counts. */
export const formLabels = {
  acceptLabels,
  auditStreamLabels,
  clientLabels,
  confirmDomainLabels,
  noticeLabels,
  oidcConfigLabels,
  organizationLabels,
  passwordLabels,
  passwordResetLabels,
  personLabels,
  profileLabels,
  refusalLabels,
  samlBindingLabels,
  samlConfigLabels,
  samlOptionLabels,
  serviceLabels,
  setupApprovalLabels,
  setupRejectionLabels,
  templateLabels,
}
