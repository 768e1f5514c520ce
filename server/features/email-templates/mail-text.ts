import type { Block, MailContent, Pen } from './template.ts'
import { webAddress } from './web-address.ts'

/** The mail as plain text: everything that its HTML says, in the same order. */
export function mailText({ subject, heading = subject, blocks, about }: MailContent, pen: Pen): string {
  const { text, portal } = pen
  const contact = [portal.supportEmail, portal.supportPhone].filter(Boolean).join(', ')
  return `${[
    heading,
    ...blocks.map(blockText),
    // The mark of a signature (RFC 3676, 4.3): a reply leaves out what follows.
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
    case 'quote':
      return `${block.title}\n${block.text.replaceAll(/^/gm, '> ')}`
  }
}

const itemText = ({ title, detail }: { title: string; detail?: string | undefined }) =>
  detail ? `- ${title}\n  ${detail}` : `- ${title}`
