/** The demo users that tests sign in as; all have the same password. */
export const people = {
  superUser: 'super@vestibule.example',
  /** Reads all organisations. */
  portalAuditor: 'auditor@vestibule.example',
  // Gets a role in the portal.
  becomesReader: 'agnes.granath@bjorko.example',
  admin: 'admin@nordvik.example',
  user: 'user@nordvik.example',
  both: 'both@nordvik.example',
  colleague: 'anna.andersson@nordvik.example',
  // Tests run in parallel, so each user who changes the own account is used in only one test.
  english: 'maria.ek@nordvik.example',
  finnish: 'olivia.aberg@nordvik.example',
  renamed: 'bjorn.holm@nordvik.example',
  multilingual: 'cecilia.olofsson@nordvik.example',
  elsewhereToo: 'david.berg@nordvik.example',
  numbered: 'fredrik.persson@nordvik.example',
  careful: 'ingrid.rosen@nordvik.example',
  manyDevices: 'rebecka.mansson@nordvik.example',
  newcomer: 'stefan.oberg@nordvik.example',
  asksAgain: 'per.forsberg@nordvik.example',
  keyboardOnly: 'gunilla.carlsson@nordvik.example',
  manyServices: 'johan.dahl@nordvik.example',
  idle: 'karin.karlsson@nordvik.example',
  forgetful: 'lars.soderberg@nordvik.example',
  reachable: 'agnes.hedin@alvdal.example',
  // Becomes the admin of a second organisation.
  twoPlaces: 'henrik.johansson@nordvik.example',
  /** Of Region Älvdal; has the role. */
  auditor: 'albin.blom@alvdal.example',
  regionAdmin: 'admin@alvdal.example',
  // A new code revokes the previous one, so each user with two-factor sign-in is used in only one test.
  phone: 'user@solberga.example',
  mail: 'viktoria.andersson@solberga.example',
  clumsy: 'william.holm@solberga.example',
  resetting: 'david.dahl@solberga.example',
  scriptless: 'elin.karlsson@solberga.example',
  reloading: 'gunilla.ek@solberga.example',
  hasty: 'cecilia.rosen@solberga.example',
  byKeyboard: 'bjorn.johansson@solberga.example',
  onPhone: 'ulf.nystrom@solberga.example',
  // Has an authenticator app; one test alone uses its codes.
  withApp: 'admin@bjorko.example',
  withPasskey: 'henrik.lindqvist@solberga.example',
  withSecurityKey: 'ingrid.aberg@solberga.example',
  withAnyPasskey: 'orjan.persson@solberga.example',
  // Their company has its own identity provider.
  atCompany: 'user@fjallra.example',
  returning: 'asa.dahl@fjallra.example',
  provingAnew: 'arla.karlsson@fjallra.example',
} as const
export type DemoEmail = (typeof people)[keyof typeof people]

/** The phone number of `people.phone`. */
export const demoPhone = '+46701740606'

export const demoPassword = 'Demo-password-1'
