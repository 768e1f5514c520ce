/**
 * Base words of most leaked passwords, in the languages of the portal, normalised by `fold`. Composition rules turn them
 * into `Password123!` and `Sommar2026!!`: a password that folds to one of these is rejected.
 *
 * The list is short on purpose: leaked passwords with twelve characters of four classes are nearly always one such word
 * with capitals, digits and symbols around it.
 */
const words = `
  password passwort passw passwd pass losenord losen salasana salis motdepasse mdp secret hemligt hemlig
  qwerty qwertyuiop qwertz azerty asdf asdfgh asdfghjkl zxcvbnm qazwsx qazwsxedc zaqwsx
  abc abcd abcdef abcdefgh abcdefghijkl welcome valkommen tervetuloa bienvenue hello hej hejhej hejsan moi bonjour
  letmein login logga inloggning signin access open sesame oppna admin administrator administrateur root user anvandare
  test testing testar temp tillfallig default standard change changeme changethis andra bytmig andramig newpassword
  nyttlosen nyttlosenord master superuser supervisor manager guest gast demo example exempel
  iloveyou love lovely jagalskardig alskling rakkaus minarakastansinua jetaime amour princess prinsessa sunshine solsken
  aurinko soleil monkey apan dragon shadow superman batman spiderman pokemon starwars football fotboll jalkapallo
  baseball basketball hockey jaakiekko ishockey soccer liverpool arsenal chelsea barcelona juventus
  summer winter spring autumn fall sommar vinter var host kesa talvi kevat syksy ete hiver printemps automne
  january february march april may june july august september october november december januari februari mars maj juni
  juli augusti oktober monday friday mandag fredag maanantai perjantai lundi vendredi
  sweden sverige finland suomi france stockholm goteborg malmo helsinki paris company foretag yritys entreprise
  computer dator internet google facebook microsoft windows apple samsung iphone android vestibule portal
  michael jennifer jessica ashley daniel charlie jordan george thomas anna maria erik lars karin johan andersson
  johansson karlsson nilsson eriksson trustno whatever nothing killer freedom money pengar raha argent cheese coffee kaffe
`

export const commonWords: ReadonlySet<string> = new Set(words.trim().split(/\s+/))
