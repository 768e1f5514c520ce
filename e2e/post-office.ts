import { type APIRequestContext, request as http } from '@playwright/test'
import { type SmsGateway, startSmsGateway } from '#simulators/sms-gateway.ts'
import { test as base, expect, signInByHand } from './fixtures.ts'
import { type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts'
import { people } from './people.ts'
import { openPortalDatabase, type PortalDatabase } from './portal-database.ts'
import { type PortalServer, startPortal } from './portal-server.ts'

/** A portal of its own whose mail and SMS really leave: over sockets, to servers that keep what comes. */
export interface PostOffice {
  portal: PortalServer
  mail: MailServer
  sms: SmsGateway
  /** Nothing listens at the gateway's address while this goes on. */
  withoutSms: (work: () => Promise<void>) => Promise<void>
  /** Of that portal. */
  database: PortalDatabase
  /** A super user's calls to that portal. */
  superUser: APIRequestContext
  /** The newest mail to an address that holds this, as soon as there is one; after so many mails that were there before. */
  mailTo: (address: string, wanted: RegExp, before?: number) => Promise<ReceivedMail>
  /** What that mail holds: a code, the path of a link. */
  foundIn: (address: string, wanted: RegExp, before?: number) => Promise<string>
}

const gateway = { username: 'u0123456789abcdef', password: 'p4ss:word' }

// biome-ignore lint/complexity/noBannedTypes: Playwright's way to say that only the worker gets a fixture
export const test = base.extend<{}, { post: PostOffice }>({
  post: [
    async ({ browser }, use) => {
      const mail = await startMailServer()
      const sms = await startSmsGateway(gateway)
      const portal = await startPortal({
        SMTP_URL: mail.url,
        MAIL_FROM: 'Portalbolaget <no-reply@portalbolaget.example>',
        SMS_PROVIDER: '46elks',
        SMS_URL: sms.url,
        SMS_USERNAME: gateway.username,
        SMS_PASSWORD: gateway.password,
        // The pause between two codes is the page's matter here; what counts is that a third one in the hour is refused.
        LIMIT_CODE_SEND: '9/30',
        LIMIT_CODE_SEND_HOURLY: '2/3600',
        LIMIT_INVITATION_RESEND: '9/300',
      })
      const database = await openPortalDatabase(portal.folder)
      const context = await browser.newContext({ baseURL: portal.url, locale: 'sv-SE' })
      await signInByHand(await context.newPage(), people.superUser)
      const superUser = await http.newContext({
        baseURL: portal.url,
        extraHTTPHeaders: { origin: portal.url },
        storageState: await context.storageState(),
      })
      await context.close()

      const mailTo: PostOffice['mailTo'] = async (address, wanted, before = 0) => {
        let found: ReceivedMail | undefined
        await expect(() => {
          found = mail.received.slice(before).findLast(({ to, text }) => to.join() === address && wanted.test(text))
          expect(found).toBeDefined()
        }).toPass({ intervals: [50], timeout: 10_000 })
        return found as ReceivedMail
      }
      const foundIn: PostOffice['foundIn'] = async (address, wanted, before) =>
        wanted.exec((await mailTo(address, wanted, before)).text)?.[0] ?? ''
      const post: PostOffice = {
        portal,
        mail,
        sms,
        async withoutSms(work) {
          await post.sms.close()
          await work()
          post.sms = await startSmsGateway({ ...gateway, port: Number(new URL(sms.url).port) })
        },
        database,
        superUser,
        mailTo,
        foundIn,
      }
      await use(post)

      await superUser.dispose()
      await database.close()
      await portal.stop()
      await post.sms.close()
      await mail.close()
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  baseURL: async ({ post }, use) => use(post.portal.url),
})

export { expect }
