import type { Block, Formatter, MailContent, Span } from './template.ts'
import { webAddress } from './web-address.ts'

/** Renders the mail as plain text, with the same content in the same order as the HTML. */
export function mailText({ subject, heading = subject, blocks, about }: MailContent, formatter: Formatter): string {
  const { text, portal } = formatter
  const contact = [portal.supportEmail, portal.supportPhone].filter(Boolean).join(', ')
  return `${[
    heading,
    ...blocks.map(blockText),
    // The signature separator (RFC 3676, 4.3): replies leave out what follows.
    ['-- ', portal.companyName, `${text('mailFooterContact')} ${contact}`].join('\n'),
    text(about === 'account' ? 'mailAboutAccount' : 'mailAboutInvitation', { host: new URL(portal.baseUrl).host }),
  ].join('\n\n')}\n`
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'note':
      return block.text
    case 'button':
      return `${block.label}\n${webAddress(block.link)}`
    case 'code':
      return `    ${block.code}`
    case 'list':
      return [...block.items.map(itemText), ...(block.more ? [`  ${block.more}`] : [])].join('\n')
    case 'rich':
      return block.lines.map(spansText).join('\n')
    case 'bullets':
      return block.items.map((item) => `- ${spansText(item)}`).join('\n')
    case 'quote':
      return `${block.title}\n${block.text.replaceAll(/^/gm, '> ')}`
  }
}

const spansText = (spans: readonly Span[]) =>
  spans.map(({ text, link }) => (link ? `${text} (${webAddress(link)})` : text)).join('')

const itemText = ({ title, detail }: { title: string; detail?: string | undefined }) =>
  detail ? `- ${title}\n  ${detail}` : `- ${title}`
