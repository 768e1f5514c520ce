import { moveOldMonths } from '#server/platform/audit/cold/move-months.ts'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import type { Command } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '',
  summary: 'move months of the audit log that are older than AUDIT_COLD_AFTER_MONTHS to files in AUDIT_COLD_DIR',
  options: {},
  async run({ config, say }) {
    if (config.auditColdAfterMonths === 0) {
      say('AUDIT_COLD_AFTER_MONTHS is 0: no month is moved')
      return 1
    }
    await withSystem({
      config,
      say,
      async work({ db, keys, clock, log }) {
        await sealAuditEvents(db)
        const moved = await moveOldMonths({ db, keys, now: clock(), log, settings: config })
        say(moved.length > 0 ? `Moved to ${config.auditColdDir}: ${moved.join(', ')}` : 'No month is old enough')
      },
    })
    return 0
  },
}
