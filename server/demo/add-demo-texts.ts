import { newId } from '#server/platform/ids.ts'
import { found } from '#server/platform/problem.ts'
import { demoSuperUser } from './demo-data.ts'
import { type DemoLoad, dayMs } from './demo-load.ts'

const text = {
  subject: 'Välkommen till {{organization}} och dina system',
  body: `{{greeting}}

**{{inviter}}** har bjudit in dig. Så här kommer du igång:

- Öppna länken nedan och välj hur du heter i portalen.
- Logga sedan in med ditt lösenord och en kod.

{{message}}

{{button}}

Länken gäller till {{expires}}. Frågor? [Servicedesk](https://solberga.example/servicedesk) hjälper dig.`,
  button: 'Kom igång',
}

/** An organisation with a text and a sender of its own. */
export async function addTexts({ db, now }: DemoLoad, organizationIds: ReadonlyMap<string, string>): Promise<void> {
  const name = 'Solberga kommun'
  const organizationId = found(organizationIds.get(name))
  await db
    .updateTable('organizations')
    .set({ senderName: 'Solberga kommun, IT', replyTo: 'servicedesk@solberga.example' })
    .where('organizationId', '=', organizationId)
    .execute()
  const templateId = newId()
  const published = JSON.stringify(text)
  await db
    .insertInto('messageTemplates')
    .values({
      ...{ templateId, channel: 'mail', type: 'user-invite', language: 'sv', organizationId },
      ...{ published, version: 2 },
    })
    .execute()
  const publishedAt = new Date(now.getTime() - 20 * dayMs)
  await db
    .insertInto('messageTemplateVersions')
    .values({
      templateId,
      number: 1,
      text: published,
      publishedAt,
      publishedBy: `${demoSuperUser.firstName} ${demoSuperUser.lastName}`,
    })
    .execute()
}
