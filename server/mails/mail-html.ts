import { type Html, html } from '#server/platform/html.ts'
import { type MailStyle, mailStyle } from './mail-style.ts'
import type { Block, Formatter, MailBrand, MailContent, Span } from './template.ts'
import { webAddress } from './web-address.ts'

/**
 * Renders the mail as HTML for mail programs: tables and inline styles, no scripts, and no remote content but the logo of an
 * organisation, which has the same address for everybody.
 */
export function mailHtml(
  { subject, heading = subject, preview, blocks, about }: MailContent,
  formatter: Formatter,
  brand?: MailBrand | undefined,
): string {
  const { inline, styleBlocks } = mailStyle(brand?.hue ?? null)
  const { text, language, portal } = formatter
  const host = new URL(portal.baseUrl).host
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${subject}</title>
${styleBlocks}
</head>
<body class="page" style="${inline.page}">
<div style="${inline.hidden}">${preview}${filler}</div>
<div role="article" aria-roledescription="email" aria-label="${subject}" lang="${language}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="${inline.outer}"><tr><td class="around" align="center" style="padding:32px 16px;">
<!--[if mso]><table role="presentation" width="600" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${inline.sheet}">
<tr><td style="padding:0 0 20px;">${brand?.logo ? organizationLogo(inline, brand, portal.baseUrl) : productLogo(inline, text('productName'))}</td></tr>
<tr><td class="card" style="${inline.card}">
<h1 class="text" style="${inline.heading}">${heading}</h1>
${blocks.map((block) => blockHtml(inline, block))}
</td></tr>
<tr><td class="foot quiet" style="${inline.footer}">
<p style="${inline.footerLine}"><strong>${portal.companyName}</strong></p>
<p style="${inline.footerLine}">${text('mailFooterContact')} ${contact(inline, portal)}</p>
<p style="${inline.footerLine}">${text(about === 'account' ? 'mailAboutAccount' : 'mailAboutInvitation', { host })}</p>
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</div>
</body>
</html>
`.html
}

type Inline = MailStyle['inline']

// Keeps mail programs from appending the first words of the body to the preview.
const filler: Html = { html: '&#8199;&#65279;&#847;'.repeat(30) }

/** The portal's logo, a lit doorway, drawn without an image: mail programs block images, and images track readers. Outlook's Word engine shows an empty square. */
const productLogo = (
  inline: Inline,
  name: string,
) => html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td width="28" valign="top" aria-hidden="true"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="fill" width="28" height="28" valign="bottom" align="center" style="${inline.mark}"><!--[if !mso]><!--><div class="arch" style="${inline.arch}"><div class="door" style="${inline.door}"></div></div><!--<![endif]--></td></tr></table></td>
<td class="text" style="padding:0 0 0 10px;${inline.brand}">${name}</td>
</tr></table>`

/** By its address: embedded, each mail would carry it. Where images are off, its name stands there. */
const organizationLogo = (inline: Inline, { name, logo }: MailBrand, baseUrl: string) =>
  html`<div style="${inline.plate}"><img src="${`${baseUrl}${logo}`}" alt="${name}" height="40" style="${inline.logo}"></div>`

const contact = (inline: Inline, { supportEmail, supportPhone }: Formatter['portal']) => {
  const mail = html`<a class="link" href="mailto:${encodeURI(supportEmail)}" style="${inline.link}">${supportEmail}</a>`
  if (!supportPhone) return mail
  const number = supportPhone.replaceAll(/[^+\d]+/g, '-')
  return html`${mail}, <a class="link" href="tel:${number}" style="${inline.phone}">${supportPhone}</a>`
}

function blockHtml(inline: Inline, block: Block): Html {
  switch (block.kind) {
    case 'paragraph':
      return html`<p class="text" style="${inline.paragraph}">${block.text}</p>\n`
    case 'note':
      return html`<p class="quiet" style="${inline.note}">${block.text}</p>\n`
    case 'button':
      // A filled cell around a padded link, because Outlook's Word engine ignores the padding of links.
      return html`${room(inline, inline.buttonRoom, html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="fill" align="center" style="${inline.button}"><a class="on" href="${webAddress(block.link)}" target="_blank" rel="noopener noreferrer" style="${inline.buttonLink}">${block.label}</a></td></tr></table>`)}${address(inline, webAddress(block.link))}`
    case 'code':
      return room(
        inline,
        inline.codeRoom,
        html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="soft text" style="${inline.code}">${block.code}</td></tr></table>`,
      )
    case 'list':
      return room(
        inline,
        inline.listRoom,
        html`<table role="presentation" class="line" width="100%" cellpadding="0" cellspacing="0" border="0" style="${inline.wide}${inline.list}">
${block.items.map((item) => itemHtml(inline, item))}${block.more === undefined ? undefined : itemHtml(inline, { title: block.more })}</table>`,
      )
    case 'rich':
      return html`<p class="text" style="${inline.paragraph}">${block.lines.map((line, index) => [index > 0 && html`<br>`, line.map((span) => spanHtml(inline, span))])}</p>\n`
    case 'bullets':
      return html`<ul class="text" style="${inline.bullets}">${block.items.map((item) => html`<li>${item.map((span) => spanHtml(inline, span))}</li>`)}</ul>\n`
    case 'quote':
      return html`<p class="quiet" style="${inline.note}">${block.title}</p>
${room(inline, inline.quoteRoom, html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${inline.wide}"><tr><td class="quote text" style="${inline.quoteText}">${block.text.split('\n').map((line, index) => [index > 0 && html`<br>`, line])}</td></tr></table>`)}`
  }
}

function spanHtml(inline: Inline, { text, bold, link }: Span): Html | string {
  if (link)
    return html`<a class="link" href="${webAddress(link)}" target="_blank" rel="noopener noreferrer" style="${inline.link}">${text}</a>`
  return bold ? html`<strong>${text}</strong>` : text
}

/** Adds space around a table. Outlook's Word engine respects only the padding of cells. */
const room = (inline: Inline, style: Html, inside: Html) =>
  html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${inline.wide}"><tr><td style="${style}">${inside}</td></tr></table>\n`

/** Shows the button's address, for readers who want to check it first and for programs that show no button. */
const address = (inline: Inline, link: string) =>
  html`<p class="quiet" style="${inline.address}"><a class="link" href="${link}" target="_blank" rel="noopener noreferrer" style="${inline.link}">${link}</a></p>\n`

const itemHtml = (inline: Inline, { title, detail }: { title: string; detail?: string | undefined }) =>
  html`<tr><td class="line text" style="${inline.item}">${title}${detail === undefined ? undefined : html`<br><span class="quiet" style="${inline.detail}">${detail}</span>`}</td></tr>\n`
