import type { ServiceGlyph } from '#contract/services/service-icons.ts'
import type { Config } from '#server/config.ts'
import type { DemoServiceLook } from '../../simulators/services/service.ts'
import { neighbourOrigin } from './demo-neighbours.ts'

/** A service with its place in the launcher. */
interface DemoService extends DemoServiceLook {
  category: (typeof demoCategories)[number]
  icon: ServiceGlyph
  requestable?: boolean
}

/** The groups of the launcher, in order. */
export const demoCategories = ['Vård och omsorg', 'Anställning', 'Verksamhet'] as const

/** The services of the demo. Each is a client of the portal, and has pages of its own (simulators/services/). */
export const demoServices: readonly DemoService[] = [
  {
    path: 'journal',
    name: 'Journal',
    category: 'Vård och omsorg',
    icon: 'stethoscope',
    hue: 160,
    about: { sv: 'Anteckningar om dem vi tar hand om', en: 'Notes about the people in our care' },
    rows: {
      sv: ['Tre anteckningar att signera', 'Provsvar har kommit', 'Återbesök klockan 14.30'],
      en: ['Three notes to sign', 'Test results have arrived', 'Follow-up visit at 14:30'],
    },
    roles: {
      doctor: { sv: 'Läkare', en: 'Doctor' },
      secretary: { sv: 'Vårdadministratör', en: 'Medical secretary' },
    },
  },
  {
    path: 'bokning',
    name: 'Bokning',
    category: 'Verksamhet',
    icon: 'calendar-days',
    hue: 30,
    about: { sv: 'Lokaler, bilar och utrustning', en: 'Rooms, cars and equipment' },
    rows: {
      sv: ['Sammanträdesrum 2, i dag 10–11', 'Poolbil till Solberga, i morgon', 'Projektor, ledig'],
      en: ['Meeting room 2, today 10–11', 'Pool car to Solberga, tomorrow', 'Projector, free'],
    },
  },
  {
    path: 'lon',
    name: 'Lön',
    category: 'Anställning',
    icon: 'banknote',
    hue: 262,
    about: { sv: 'Lönebesked och ledighet', en: 'Payslips and leave' },
    rows: {
      sv: ['Lönebesked för oktober', '17 dagar semester kvar', 'Ansökan om ledighet väntar på chefen'],
      en: ['Payslip for October', '17 days of holiday left', 'Leave request waits for your manager'],
    },
  },
  {
    path: 'arkiv',
    name: 'Arkiv',
    category: 'Verksamhet',
    icon: 'archive',
    hue: 60,
    about: { sv: 'Handlingar som ska bevaras', en: 'Records to be kept' },
    rows: {
      sv: ['Nämndens protokoll 2026', 'Ritningar, kvarteret Björken', 'Två handlingar att gallra'],
      en: ['Minutes of the board 2026', 'Drawings, the Björken block', 'Two records to dispose of'],
    },
  },
  {
    path: 'schema',
    name: 'Schema',
    category: 'Vård och omsorg',
    icon: 'clock',
    hue: 200,
    about: { sv: 'Vem som arbetar när', en: 'Who works when' },
    rows: {
      sv: ['Kväll på tisdag och torsdag', 'Ett pass att byta', 'Helgen är ledig'],
      en: ['Evenings on Tuesday and Thursday', 'One shift to swap', 'The weekend is free'],
    },
  },
  {
    path: 'arenden',
    name: 'Ärenden',
    category: 'Verksamhet',
    icon: 'wrench',
    hue: 330,
    about: { sv: 'Frågor och felanmälningar', en: 'Questions and fault reports' },
    rows: {
      sv: ['Skrivaren på plan 3', 'Ny dator till Emil', 'Lampa trasig i trapphuset'],
      en: ['The printer on floor 3', 'New computer for Emil', 'Broken lamp in the staircase'],
    },
  },
  {
    path: 'faktura',
    name: 'Faktura',
    category: 'Verksamhet',
    icon: 'file-text',
    hue: 120,
    about: { sv: 'Leverantörsfakturor att attestera', en: 'Supplier invoices to approve' },
    rows: {
      sv: ['Fem att attestera', 'En går ut på fredag', 'Inga påminnelser'],
      en: ['Five to approve', 'One is due on Friday', 'No reminders'],
    },
  },
  {
    path: 'resor',
    name: 'Resor',
    category: 'Anställning',
    icon: 'map',
    requestable: true,
    hue: 230,
    about: { sv: 'Tåg, hotell och utlägg', en: 'Trains, hotels and expenses' },
    rows: {
      sv: ['Tåg till Umeå den 3 december', 'Utlägg att redovisa: 412 kr', 'Hotell bekräftat'],
      en: ['Train to Umeå on 3 December', 'Expenses to report: SEK 412', 'Hotel confirmed'],
    },
  },
  {
    path: 'utbildning',
    name: 'Utbildning',
    category: 'Anställning',
    icon: 'graduation-cap',
    requestable: true,
    hue: 295,
    about: { sv: 'Kurser och intyg', en: 'Courses and certificates' },
    rows: {
      sv: ['Brandskydd, klar', 'Informationssäkerhet, 40 % klar', 'Hjärt-lungräddning i januari'],
      en: ['Fire safety, done', 'Information security, 40% done', 'First aid in January'],
    },
  },
  {
    path: 'statistik',
    name: 'Statistik',
    category: 'Verksamhet',
    icon: 'chart-column',
    requestable: true,
    hue: 0,
    about: { sv: 'Verksamheten i siffror', en: 'The organisation in figures' },
    rows: {
      sv: ['Besök den här veckan: 1 204', 'Väntetid: 6 dagar', 'Nöjda: 91 %'],
      en: ['Visits this week: 1,204', 'Waiting time: 6 days', 'Satisfied: 91%'],
    },
  },
]

/** The id of a demo service's client. */
export const demoClientId = (path: string): string => `demo-${path}`

/** Where a demo service lives, for browsers. */
export const demoServiceUrl = (config: Config, path: string): string =>
  `${neighbourOrigin(config, config.demoServicesPort)}/${path}/`

/** The addresses that a demo service registers at the portal. */
export const demoClientAddresses = (home: string) => ({
  redirectUris: [`${home}callback`],
  postLogoutRedirectUris: [`${home}signed-out`],
  backchannelLogoutUri: `${home}backchannel-logout`,
  initiateLoginUri: `${home}start`,
})
