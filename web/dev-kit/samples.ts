// Sample texts for developers, in English only, with the users and organisations of the demo data.
export const languages = [
  { value: 'sv', name: 'Svenska' },
  { value: 'en', name: 'English' },
  { value: 'fi', name: 'Suomi' },
  { value: 'fr', name: 'Français' },
]

export const organizations = [
  { value: '1', label: 'Nordvik AB' },
  { value: '2', label: 'Solberga kommun' },
  { value: '3', label: 'Havsvik Bank AB' },
  { value: '4', label: 'Fjällrå AB' },
]

export const services = [
  {
    name: 'Journal',
    icon: 'heart-pulse',
    text: 'Patient records, with referrals and test results',
    host: 'journal.nordvik.example',
  },
  { name: 'Bokning', text: null, host: 'bokning.nordvik.example' },
  { name: 'Lön', text: null, host: 'lon.nordvik.example' },
  {
    name: 'Arkiv för avslutade ärenden och långa namn',
    text: null,
    host: 'arkiv-for-avslutade-arenden.nordvik.example',
  },
]

export const users = [
  { id: 'u1', name: 'admin', email: 'admin@nordvik.example', services: ['Journal', 'Bokning', 'Lön'], pending: false },
  { id: 'u2', name: 'user', email: 'user@nordvik.example', services: ['Journal'], pending: true },
  { id: 'u3', name: 'both', email: 'both@nordvik.example', services: ['Journal', 'Arkiv'], pending: false },
]

export const loginMethods = [
  { value: 'local', label: 'Password', hint: 'At least twelve characters' },
  { value: 'local2FA', label: 'Password and code', hint: 'The code comes by e-mail or SMS' },
  { value: 'bankid', label: 'BankID', hint: 'Needs a personal number' },
  { value: 'saml', label: 'Company sign-in', hint: 'SAML 2.0' },
]

export const passwordRules = [
  { text: 'At least 12 characters', met: true },
  { text: 'A lowercase letter', met: true },
  { text: 'An uppercase letter', met: false },
  { text: 'A digit', met: true },
  { text: 'A special character', met: false },
]

export const contact = {
  heading: 'Vestibule',
  text: 'Questions about signing in? We are happy to help.',
  email: { text: 'Write to support@vestibule.example', address: 'support@vestibule.example' },
  phone: { text: 'Call +46 70 174 06 05', number: '+46701740605' },
  links: [
    { text: 'Privacy', href: '/privacy' },
    { text: 'Accessibility', href: '/accessibility' },
  ],
}
