import { acceptLabels } from './invitations/accept-form.ts'
import { refusalLabels } from './access-requests/access-requests.ts'
import { auditStreamLabels } from './audit-streams/audit-streams.ts'
import { clientLabels } from './service-clients/client-form.ts'
import { noticeLabels } from './notices/notices.ts'
import { oidcConfigLabels } from './saml-configs/oidc-configs.ts'
import { organizationLabels } from './organizations/organizations.ts'
import { passwordResetLabels } from './password-reset/password-reset.ts'
import { passwordLabels, profileLabels } from './profile/profile.ts'
import { samlBindingLabels } from './saml-configs/saml-bindings.ts'
import { samlConfigLabels } from './saml-configs/saml-configs.ts'
import { confirmDomainLabels } from './saml-configs/saml-domains.ts'
import { samlOptionLabels } from './saml-configs/saml-options.ts'
import { setupApprovalLabels, setupRejectionLabels } from './saml-setups/saml-setups.ts'
import { serviceLabels } from './services/services.ts'
import { templateLabels } from './email-templates/template-editor.ts'
import { personLabels } from './users/user-forms.ts'

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
