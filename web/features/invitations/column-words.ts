import type { OrganizationRole } from '#contract/roles.ts'

/** What a header can name. `name` is the whole one; the addresses stand in the order in which they are taken. */
export const addressKinds = ['email', 'principalName', 'proxyAddresses', 'privateEmail'] as const
export type HeaderName =
  | (typeof addressKinds)[number]
  | 'name'
  | 'firstName'
  | 'lastName'
  | 'services'
  | 'groups'
  | 'validFrom'
  | 'validUntil'
  | 'userRole'

// Accepted header names in the four languages and those of the neighbours (Norwegian, Danish, German), and those of Entra, Microsoft 365, Google Workspace, Outlook and payroll systems; used
// only to read a list, never shown. Without blanks and marks, and without the words and beginnings below.
export const headerWords: Record<HeaderName, string> = {
  email:
    'email emailaddress emailadress emailadresse epostadresse emailaddresses mail mailaddress mailadress mailadresse emailid epost epostadress epostadresser eadress ' +
    'mejl mejladress mejladresser smtp smtpaddress primarysmtpaddress windowsemailaddress sähköposti sähköpostiosoite sähköpostit sposti ' +
    'spostiosoite meili meiliosoite courriel courrielle mél mel adressemail adresseemail adresseélectronique adresseelectronique ' +
    'adressecourriel adressemél adressedemessagerie',
  principalName:
    'userprincipalname principalname upn huvudnamn loginname login logon username signinname signinaddress inloggning inloggningsnamn ' +
    'användarnamn anvandarnamn användarid userid käyttäjätunnus käyttäjänimi käyttäjänpääkäyttäjänimi identifiant nomdutilisateur ' +
    'nomprincipal nomutilisateurprincipal nomprincipaldutilisateur',
  proxyAddresses:
    'proxyaddresses proxyaddress proxyadresser emailaliases aliases alias välityspalvelinosoitteet adressesproxy',
  privateEmail: 'hemadress',
  name:
    'name fullname wholename completename displayname cn commonname namn fullständigtnamn fullstandigtnamn helanamnet heltnamn visningsnamn ' +
    'navn fulltnavn fuldenavn heltnavn vollständigername anzeigename visningsnavn ' +
    'personnamn nimi kokonimi näyttönimi nomcomplet nometprénom nometprenom prénometnom prenometnom nomprénom nomprenom prénomnom prenomnom ' +
    'nomaffiché nomdaffichage employee employeename anställd medarbetare person personal työntekijä salarié collaborateur',
  firstName:
    'firstname firstnames givenname givennames forename forenames preferredname förnamn fornamn tilltalsnamn etunimi etunimet kutsumanimi ' +
    'prénom prenom prénoms prenoms prénomusuel fornavn fornavne vorname vornamen rufname',
  lastName:
    'lastname lastnames surname surnames sn familyname efternamn sukunimi nom nomdefamille nomfamille nomusuel nomdusage nomdenaissance ' +
    'etternavn efternavn slektsnavn nachname familienname zuname',
  services: 'services service tjänster tjanster tjänst palvelut palvelu',
  groups: 'groups group grupper grupp ryhmät ryhmä groupes groupe',
  validFrom:
    'firstday validfrom from startdate startday starts förstadag forstadag förstadagen startdatum startdag from frånochmed from fom giltigfrom ' +
    'giltigfrån börjar ensimmäinenpäivä alkamispäivä aloituspäivä alkupäivä alkaa alkaen premierjour datededébut datededebut datedébut début',
  validUntil:
    'lastday validuntil validto until expires expiry expirydate expirationdate enddate endday ends terminationdate leavingdate leavedate ' +
    'leavedatetime employeeleavedatetime lastworkingday lastdayofwork lastdayofemployment contractenddate contractend accountexpires ' +
    'accountexpirationdate sistadag sistadagen sistaanställningsdag sistaarbetsdag slutdatum slutdag slutar tom tillochmed giltigtill ' +
    'giltigtom anställdtom anställdtillochmed anställningtom anställningensslut anställningslut anställningensslutdatum avgång avgångsdatum avgdatum ' +
    'avgångsdag avslutsdatum avslutad upphör viimeinenpäivä viimeinentyöpäivä päättymispäivä loppupäivä päättyy saakka asti dernierjour ' +
    'dernierjourtravaillé datedefin datefin finducontrat findecontrat fincontrat datefincontrat datedefinducontrat datedefindecontrat datedesortie ' +
    'datesortie datededépart datededepart expirele',
  userRole: 'role userrole roll behörighet rooli rôle role',
}

/** Words that say nothing about which column it is. */
export const fillers = new Set(
  (
    'the of s user users användare användarens anställds anställdas anställdes medarbetares medarbetarens personens personalens staff ' +
    'worker member members contact kontakt organisation organization value required optional obligatorisk obligatoriskt valfri ' +
    'valfritt pakollinen valinnainen obligatoire facultatif work working office business company corporate professional primary default legal ' +
    'main official arbete arbetet jobb jobbet företag företaget företagets kontor tjänsten primär primära huvud huvudsaklig officiell ' +
    'ordinarie työ työn ensisijainen virallinen yritys professionnel professionnelle pro principal principale travail bureau entreprise'
  ).split(' '),
)

/** Their compounds: `arbetsmejl`, `työsähköposti`. */
export const beginnings = /^(?:arbets?|jobb|företags|tjänste|kontors|huvud|työ|work|business|office|company)-?(?=.{3})/

/** An address that is not the one at work. */
export const privateWords =
  /^(?:privat|private|privata|hem|hemma|home|personlig|personliga|secondary|sekundär|sekundära|alternate|alternative|alternativ|alternativa|other|others|annan|recovery|återställning|återställnings|henkilökohtainen|koti|yksityinen|toissijainen|vaihtoehtoinen|personnel|personnelle|perso|privé|privée|secondaire|secours|domicile)$/
export const privateBeginnings = /^(?:privat|private|hem|home|koti|alternativ|reserv)(?=.{3})/

export const roleWords: Record<OrganizationRole, string> = {
  regular: 'regular user member användare medlem käyttäjä jäsen utilisateur utilisatrice membre',
  organizationAdmin:
    'organizationadmin admin administrator organisationadmin organisationsadministratör administratör ylläpitäjä ' +
    'pääkäyttäjä administrateur administratrice',
}
