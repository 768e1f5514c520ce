import type { APIRequestContext } from '@playwright/test'
import { type SmsGateway, startSmsGateway } from '#simulators/sms-gateway.ts'
import { test as base, expect } from './fixtures.ts'
import { type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts'
import { people } from './people.ts'
import { openPortalDatabase, type PortalDatabase } from './portal-database.ts'
import { type PortalServer, startPortal } from './portal-server.ts'
import { signInByRequest } from './sign-in-by-request.ts'

/** A separate portal that really delivers mail and SMS: over sockets, to servers that keep all messages. */
export interface PostOffice {
  portal: PortalServer
  mail: MailServer
  sms: SmsGateway
  /** Runs `work` while the SMS gateway cannot be reached. */
  withoutSms: (work: () => Promise<void>) => Promise<void>
  /** The database of that portal. */
  database: PortalDatabase
  /** API calls to that portal as a super user. */
  superUser: APIRequestContext
  /** Waits for a mail to this address that matches, after the first `before` mails; returns the newest. */
  mailTo: (address: string, wanted: RegExp, before?: number) => Promise<ReceivedMail>
  /** The match in that mail: a code, or the path of a link. */
  foundIn: (address: string, wanted: RegExp, before?: number) => Promise<string>
}

const gateway = { username: 'u0123456789abcdef', password: 'p4ss:word' }

// biome-ignore lint/complexity/noBannedTypes: Playwright's way to say that only the worker gets a fixture
export const test = base.extend<{}, { post: PostOffice }>({
  post: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from its first parameter
    async ({}, use) => {
      const mail = await startMailServer()
      const sms = await startSmsGateway(gateway)
      const portal = await startPortal({
        SMTP_URL: mail.url,
        MAIL_FROM: 'Portalbolaget <no-reply@portalbolaget.example>',
        SMS_PROVIDER: '46elks',
        SMS_URL: sms.url,
        SMS_USERNAME: gateway.username,
        SMS_PASSWORD: gateway.password,
        // The page enforces the pause between two codes. The server must reject the third code in an hour.
        LIMIT_CODE_SEND: '9/30',
        LIMIT_CODE_SEND_HOURLY: '2/3600',
        LIMIT_INVITATION_RESEND: '9/300',
      })
      const database = await openPortalDatabase(portal.folder)
      const superUser = await signInByRequest(portal.url, people.superUser)

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
