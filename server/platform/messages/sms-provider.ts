import type { Config } from '#server/config.ts'
import type { Sms } from './sms.ts'
import { createElks } from './sms-46elks.ts'
import { createTwilio } from './sms-twilio.ts'

const providers = {
  '46elks': { create: createElks, url: 'https://api.46elks.com' },
  twilio: { create: createTwilio, url: 'https://api.twilio.com' },
}

/**
 * Creates the gateway named in the settings; undefined without one, in which case messages go to the folder outbox.
 *
 * @throws Error for a gateway without credentials
 */
export function createSmsFromSettings(
  config: Pick<Config, 'smsProvider' | 'smsUrl' | 'smsUsername' | 'smsPassword' | 'smsFrom'>,
): Sms | undefined {
  const { smsProvider, smsUrl, smsUsername, smsPassword, smsFrom } = config
  if (smsProvider === undefined) return undefined
  if (smsUsername === undefined || smsPassword === undefined)
    throw new Error('SMS_PROVIDER needs SMS_USERNAME and SMS_PASSWORD')
  const { create, url } = providers[smsProvider]
  return create({ url: smsUrl ?? url, username: smsUsername, password: smsPassword.reveal(), from: smsFrom })
}
