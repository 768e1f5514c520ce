import type { RelyingParty } from '../relying-party.ts'
import { evaluation } from './authzen-evaluation.ts'
import { evaluations } from './authzen-evaluations.ts'
import type { AuthzenParty } from './authzen-party.ts'
import { answers } from './basic-answers.ts'
import { codes } from './basic-codes.ts'
import { requests } from './basic-requests.ts'
import { clientBasic } from './client-basic.ts'
import type { CompanyParty } from './company-party.ts'
import { config } from './discovery.ts'
import { logout } from './logout.ts'
import type { Module } from './module.ts'
import { thirdParty } from './third-party.ts'
import { backChannel, frontChannel } from './told-logout.ts'

/** A plan of the OpenID Foundation's suite, with all its modules. */
export interface Plan<Party = never> {
  /** What `npm run conformance -- --plan` takes. */
  name: string
  official: string
  modules: Module<Party>[]
  /** For the page. */
  about?: string
}

const basic = [...answers, ...requests, ...codes]

/** The portal as a provider, by the way in which its answers reach the service. */
export const providerPlans: (Plan<RelyingParty> & { responseMode?: 'form_post' })[] = [
  { name: 'oidcc-basic', official: 'oidcc-basic-certification-test-plan', modules: basic },
  {
    name: 'oidcc-formpost-basic',
    official: 'oidcc-formpost-basic-certification-test-plan',
    responseMode: 'form_post',
    modules: basic,
    about: 'The same modules; each answer comes by a form that posts itself.',
  },
  { name: 'oidcc-config', official: 'oidcc-config-certification-test-plan', modules: config },
  { name: 'rp-initiated-logout', official: 'oidcc-rp-initiated-logout-certification-test-plan', modules: logout },
  {
    name: 'backchannel-rp-initiated-logout',
    official: 'oidcc-backchannel-rp-initiated-logout-certification-test-plan',
    modules: backChannel,
  },
  {
    name: 'frontchannel-rp-initiated-logout',
    official: 'oidcc-frontchannel-rp-initiated-logout-certification-test-plan',
    modules: frontChannel,
  },
  {
    name: '3rdparty-init-login',
    official: 'oidcc-3rdparty-init-login-certification-test-plan',
    modules: thirdParty,
    about:
      'The official plan registers its clients by a protocol, which the portal does not offer; here a super user does.',
  },
]

/** The portal as a client of a company's provider. */
export const companyPlans: Plan<CompanyParty>[] = [
  { name: 'client-basic', official: 'oidcc-client-basic-certification-test-plan', modules: clientBasic },
]

/** The portal as the one that decides. Both are alpha plans. */
export const authzenPlans: Plan<AuthzenParty>[] = [
  {
    name: 'authzen-pdp-evaluation',
    official: 'authzen-pdp-evaluation-test-plan',
    modules: evaluation,
    about:
      'An alpha plan. People, records and actions of its fixture have fixed ids; here they are a person, organisations and roles of a service.',
  },
  { name: 'authzen-pdp-evaluations', official: 'authzen-pdp-evaluations-test-plan', modules: evaluations },
]

/** In the order of the page. */
export const plans: Plan[] = [...providerPlans, ...companyPlans, ...authzenPlans]
