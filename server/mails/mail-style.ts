import { type Html, html } from '#server/platform/html.ts'
import { accentOf } from './brand-colours.ts'

// The portal's colours (web/ui/tokens.css), written out: mail programs know neither variables nor light-dark().
// No colour is six decimal digits, so that software that looks for a login code in the mail finds only the code.
const portalLight = {
  page: '#fafbfd',
  card: '#ffffff',
  soft: '#f3f6f9',
  border: '#dce0e6',
  text: '#19202a',
  quiet: '#5f6772',
  accent: '#285cc2',
  onAccent: '#ffffff',
  link: '#2151b0',
}
type Colours = typeof portalLight
const portalDark: Colours = {
  page: '#0a0f14',
  card: '#12181e',
  soft: '#1b212a',
  border: '#2d333c',
  text: '#edf0f4',
  quiet: '#aeb5bd',
  accent: '#6696f1',
  onAccent: '#080f1c',
  link: '#94bbff',
}

const font = html`font-family:Inter,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;`

/** Light colours and sizes as inline styles, for mail programs that drop the style block. */
const inlineOf = (light: Colours) => ({
  page: html`margin:0;padding:0;background-color:${light.page};-webkit-text-size-adjust:100%;text-size-adjust:100%;`,
  hidden: html`display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:${light.page};mso-hide:all;`,
  outer: html`background-color:${light.page};`,
  // Fixed layout: a very long word must not make a table wider than the mail, also in Outlook's Word engine.
  wide: html`width:100%;table-layout:fixed;`,
  sheet: html`width:100%;max-width:600px;table-layout:fixed;margin:0 auto;`,
  brand: html`${font}font-size:18px;line-height:28px;font-weight:600;letter-spacing:-0.015em;color:${light.text};word-break:break-word;`,
  mark: html`width:28px;height:28px;border-radius:7px;background-color:${light.accent};`,
  arch: html`width:14px;height:18px;margin:0 auto;border:2px solid ${light.onAccent};border-bottom:0;border-radius:9px 9px 0 0;line-height:0;font-size:0;`,
  // Filled by borders, because Thunderbird's dark mode removes light backgrounds.
  door: html`width:0;height:11px;margin:7px auto 0;border:solid ${light.onAccent};border-width:0 3px;border-radius:3px 3px 0 0;line-height:0;font-size:0;`,
  card: html`background-color:${light.card};border:1px solid ${light.border};border-radius:12px;padding:32px 32px 16px;`,
  heading: html`${font}margin:0 0 16px;font-size:24px;line-height:30px;font-weight:700;letter-spacing:-0.015em;text-wrap:balance;color:${light.text};word-break:break-word;`,
  paragraph: html`${font}margin:0 0 16px;font-size:16px;line-height:24px;color:${light.text};word-break:break-word;`,
  bullets: html`${font}margin:0 0 16px;padding:0 0 0 24px;font-size:16px;line-height:24px;color:${light.text};word-break:break-word;`,
  note: html`${font}margin:0 0 8px;font-size:14px;line-height:20px;color:${light.quiet};word-break:break-word;`,
  buttonRoom: html`padding:8px 0 12px;`,
  button: html`border-radius:8px;background-color:${light.accent};mso-padding-alt:12px 24px;`,
  buttonLink: html`${font}display:inline-block;padding:12px 24px;border-radius:8px;font-size:16px;line-height:20px;font-weight:600;color:${light.onAccent};text-decoration:none;`,
  address: html`${font}margin:0 0 20px;font-size:13px;line-height:20px;word-break:break-word;`,
  codeRoom: html`padding:8px 0 24px;`,
  code: html`background-color:${light.soft};border:1px solid ${light.border};border-radius:8px;font-family:ui-monospace,Menlo,Consolas,'Courier New',monospace;padding:16px 16px 16px 24px;font-size:32px;line-height:40px;font-weight:600;letter-spacing:8px;color:${light.text};`,
  listRoom: html`padding:0 0 16px;`,
  list: html`border-top:1px solid ${light.border};`,
  item: html`${font}padding:10px 0;border-bottom:1px solid ${light.border};font-size:16px;line-height:24px;color:${light.text};word-break:break-word;`,
  detail: html`font-size:14px;line-height:20px;color:${light.quiet};`,
  quoteRoom: html`padding:0 0 16px;`,
  quoteText: html`${font}padding:12px 16px;background-color:${light.soft};border-left:3px solid ${light.accent};border-radius:0 8px 8px 0;font-size:16px;line-height:24px;color:${light.text};word-break:break-word;`,
  footer: html`${font}padding:24px 33px 0;font-size:13px;line-height:20px;color:${light.quiet};word-break:break-word;`,
  footerLine: html`margin:0 0 4px;`,
  link: html`color:${light.link};text-decoration:underline;`,
  phone: html`color:${light.link};text-decoration:underline;white-space:nowrap;`,
  // Its ground stays light in dark mode, so that any logo can be read; the height is that of the app.
  plate: html`display:inline-block;padding:4px 6px;border-radius:7px;background-color:#fafbfd;`,
  logo: html`${font}display:block;height:40px;max-width:240px;font-size:18px;line-height:40px;font-weight:600;color:#19202a;`,
})

/** The colours that change in dark mode, by class. */
const tones = [
  ['page', 'background-color', 'page'],
  ['card', 'background-color', 'card'],
  ['card', 'border-color', 'border'],
  ['soft', 'background-color', 'soft'],
  ['soft', 'border-color', 'border'],
  ['quote', 'background-color', 'soft'],
  ['line', 'border-color', 'border'],
  ['text', 'color', 'text'],
  ['quiet', 'color', 'quiet'],
  ['link', 'color', 'link'],
] as const
/** The accent colour and the text on it: they change together or not at all. */
const accentTones = [
  ['quote', 'border-color', 'accent'],
  ['fill', 'background-color', 'accent'],
  ['on', 'color', 'onAccent'],
  ['arch', 'border-color', 'onAccent'],
  ['door', 'border-color', 'onAccent'],
] as const

const rules = (all: readonly (readonly [string, string, keyof Colours])[], write: Write, before = '') =>
  all.map(([name, property, tone]) => `${before}.${name}{${property}:${write(tone)}!important}`).join('')
type Write = (tone: keyof Colours) => string
// Separate blocks, because Gmail drops a whole block when it does not know one of the rules.
const blocksOf = (light: Colours, dark: Colours): string[] => {
  const darkTone: Write = (tone) => dark[tone]
  const eitherTone: Write = (tone) => `light-dark(${light[tone]},${dark[tone]})`
  return [
    // The page too: some programs show more of it than the mail fills.
    `:root{color-scheme:light dark;supported-color-schemes:light dark;background-color:${eitherTone('page')}}`,
    // Smaller margins on a phone.
    '@media(max-width:480px){.around{padding:20px 12px!important}.card{padding:24px 20px 12px!important}.foot{padding:20px 21px 0!important}}',
    // Thunderbird drops @media, and its dark mode makes the text of buttons white: leave the accent colours unchanged.
    rules(tones, eitherTone),
    `@media(prefers-color-scheme:dark){:root,body{background-color:${dark.page}!important}${rules([...tones, ...accentTones], darkTone)}}`,
    // Outlook on the web and on phones.
    rules([...tones, ...accentTones], darkTone, '[data-ogsc] '),
  ]
}

/** The style blocks. They contain no values of a mail. */
const styleBlocksOf = (light: Colours, dark: Colours): Html => ({
  html: [
    ...blocksOf(light, dark).map((block) => `<style>${block}</style>`),
    // Outlook on Windows falls back to Times New Roman when the first font is missing, and scales tables differently from text.
    '<!--[if mso]><style>h1,p,td,a,span{font-family:Arial,sans-serif!important}</style><xml><o:OfficeDocumentSettings xmlns:o="urn:schemas-microsoft-com:office:office"><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->',
  ].join('\n'),
})

/** How a mail looks. */
export interface MailStyle {
  inline: ReturnType<typeof inlineOf>
  styleBlocks: Html
}

const styleOf = (light: Colours, dark: Colours): MailStyle => ({
  inline: inlineOf(light),
  styleBlocks: styleBlocksOf(light, dark),
})

const portalStyle = styleOf(portalLight, portalDark)
const byHue = new Map<number, MailStyle>()

/** The style of a hue in degrees; null: the portal's own. */
export function mailStyle(hue: number | null): MailStyle {
  if (hue === null) return portalStyle
  const known = byHue.get(hue)
  if (known) return known
  const { light, dark } = accentOf(hue)
  const style = styleOf({ ...portalLight, ...light }, { ...portalDark, ...dark })
  byHue.set(hue, style)
  return style
}
