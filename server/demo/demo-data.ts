import type { LoginMethod } from '#contract/roles.ts'
import { awayFor, colleagues, type DemoPerson, fictionalPhone, staff } from './demo-people.ts'
import { demoServices } from './demo-services.ts'

export interface DemoOrganization {
  name: string
  /** Has an invalid checksum on purpose, so it cannot be a real number. */
  organizationNumber: string
  loginMethod: LoginMethod
  mailDomain: string
  maxPassiveDays?: number
  /** Admins need a passkey or security key in so many days. */
  strongAdminsIn?: number
  /** Shows its own hue and logo, and has a host name that browsers find on this machine. */
  hasBrand?: true
  /** Seats by service; a service that is not listed has no limit. */
  seats: Record<string, number>
  people: readonly DemoPerson[]
}

const serviceNames = demoServices.map(({ name }) => name)

const admin = (firstName: string, lastName: string, born: string, domain: string): DemoPerson => ({
  firstName,
  lastName,
  email: `admin@${domain}`,
  role: 'organizationAdmin',
  services: ['Journal', 'Bokning', 'Lön', 'Schema', 'Ärenden', 'Faktura', 'Utbildning'],
  born,
  lastSeen: 0,
})
const user = (firstName: string, lastName: string, born: string, domain: string, phone: number): DemoPerson => ({
  firstName,
  lastName,
  email: `user@${domain}`,
  services: ['Journal', 'Bokning'],
  serviceAdminOf: 'Bokning',
  born,
  phoneNumber: fictionalPhone(phone),
  lastSeen: 1,
})

const regionStaff = staff(220, serviceNames)

/** Of the authenticator app of one person, in base 32; docs/tour.md names it. */
export const demoAppSecret = 'VESTIBULEDEMOAPPFORBIRGITBJORKSE'

const passiveAfterDays = 90
const lastSeen = [3, 12, 31, 62, 66, 71, 78, 84, 88, 96, 104, 119, 143, 170]

export const demoOrganizations: readonly DemoOrganization[] = [
  {
    name: 'Nordvik AB',
    organizationNumber: '556000-0003',
    loginMethod: 'local',
    mailDomain: 'nordvik.example',
    seats: { Journal: 20, Lön: 12 },
    people: [
      admin('Astrid', 'Nordin', '19750312', 'nordvik.example'),
      user('Emil', 'Vikström', '19880624', 'nordvik.example', 0),
      {
        firstName: 'Bodil',
        lastName: 'Sandberg',
        email: 'both@nordvik.example',
        services: ['Journal', 'Arkiv'],
        serviceRoles: { Journal: 'doctor' },
        born: '19820917',
        lastSeen: 2,
      },
      ...colleagues(18, 0),
    ],
  },
  {
    name: 'Solberga kommun',
    organizationNumber: '212000-0003',
    loginMethod: 'local2FA',
    mailDomain: 'solberga.example',
    seats: { Journal: 25 },
    people: [
      admin('Gun', 'Solberg', '19690105', 'solberga.example'),
      user('Mikael', 'Bergman', '19910430', 'solberga.example', 1),
      ...colleagues(17, 18),
    ],
  },
  {
    name: 'Havsvik Bank AB',
    organizationNumber: '516400-0003',
    loginMethod: 'bankid',
    mailDomain: 'havsvik.example',
    hasBrand: true,
    seats: {},
    people: [
      admin('Helena', 'Havström', '19790808', 'havsvik.example'),
      user('Oskar', 'Wik', '19951121', 'havsvik.example', 2),
      ...colleagues(14, 35),
    ],
  },
  {
    name: 'Fjällrå AB',
    organizationNumber: '556000-0004',
    loginMethod: 'saml',
    mailDomain: 'fjallra.example',
    seats: { Arkiv: 10 },
    people: [
      admin('Frida', 'Fjällström', '19841203', 'fjallra.example'),
      user('Aslak', 'Raatikainen', '19930217', 'fjallra.example', 3),
      ...colleagues(13, 49),
    ],
  },
  {
    // The large one, with hardly a seat left for Journal.
    name: 'Region Älvdal',
    organizationNumber: '232100-0004',
    loginMethod: 'local',
    mailDomain: 'alvdal.example',
    seats: { Journal: regionStaff.filter(({ invited }) => !invited).length + 3, Lön: 120 },
    people: [
      {
        firstName: 'Elsa',
        lastName: 'Hedlund',
        email: 'admin@alvdal.example',
        role: 'organizationAdmin',
        services: serviceNames,
        phoneNumber: fictionalPhone(4),
        lastSeen: 0,
      },
      ...regionStaff,
    ],
  },
  {
    // People who have been away for long: five are passive, six are about to be.
    name: 'Björkö Omsorg AB',
    organizationNumber: '556000-0005',
    loginMethod: 'local2FA',
    mailDomain: 'bjorko.example',
    maxPassiveDays: passiveAfterDays,
    strongAdminsIn: 30,
    seats: { Journal: 20 },
    people: [
      { ...admin('Birgit', 'Björk', '19720518', 'bjorko.example'), app: demoAppSecret },
      ...awayFor(lastSeen, passiveAfterDays),
    ],
  },
]

export const demoSuperUser = { firstName: 'Siv', lastName: 'Ledin', email: 'super@vestibule.example' }

/** Reads all organisations and changes nothing. */
export const demoAuditor = { firstName: 'Runa', lastName: 'Ekvall', email: 'auditor@vestibule.example' }

/** Suggested users to sign in as, for the console and the README. */
export const demoSignIns = [
  { email: demoSuperUser.email, what: 'super user of the operating company' },
  { email: demoAuditor.email, what: 'auditor of the operating company: reads everything, changes nothing' },
  { email: 'admin@nordvik.example', what: 'organisation admin, password' },
  { email: 'user@nordvik.example', what: 'user and service admin, password' },
  { email: 'both@nordvik.example', what: 'user of two organisations, password' },
  { email: 'admin@solberga.example', what: 'organisation admin, password and code by mail' },
  { email: 'user@solberga.example', what: 'user, password and code by mail or SMS' },
  { email: 'admin@havsvik.example', what: 'organisation admin, BankID' },
  { email: 'user@havsvik.example', what: 'user, BankID' },
  { email: 'admin@fjallra.example', what: "organisation admin, the company's own sign-in" },
  { email: 'user@fjallra.example', what: "user, the company's own sign-in" },
  { email: 'admin@bjorko.example', what: 'organisation admin, password and code of an app' },
  { email: 'admin@alvdal.example', what: 'admin of a large organisation, password' },
] as const

/** Who has a role beside the admin role. */
export const heldRoles = [
  { email: 'albin.blom@alvdal.example', organization: 'Region Älvdal', roleKey: 'auditor' },
  { email: 'alma.borg@alvdal.example', organization: 'Region Älvdal', roleKey: 'helpDesk' },
] as const

/** Who is responsible for a service of an organisation, and who puts people in a group of it. */
export const scopedRoles = [
  { email: 'alma.borg@alvdal.example', organization: 'Region Älvdal', service: 'Journal', endsIn: 40 },
  { email: 'user@fjallra.example', organization: 'Fjällrå AB', group: 'Fältpersonal' },
] as const

/** A person who belongs to two organisations; in the second she is a consultant, whose access ends soon. */
export const extraMemberships = [
  { email: 'both@nordvik.example', organization: 'Solberga kommun', services: ['Bokning'], endsIn: 9 },
] as const
