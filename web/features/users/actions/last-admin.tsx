import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

interface Question {
  organization: string
  answer: (yes: boolean) => void
}

/** The query of a call that an organisation's only admin has to confirm. */
export type LastAdminQuery = { force?: 'true' }

/**
 * Asks an organisation's only admin before the own role goes.
 *
 * @returns `sure` sends a call; if the user confirms, again with `force`. It returns false if the user declines
 */
export function useLastAdmin(): {
  sure: (organization: string, send: (query: LastAdminQuery) => Promise<unknown>) => Promise<boolean>
  dialog: ReactNode
} {
  const { t } = useTranslation()
  const [question, setQuestion] = useState<Question>()
  const ask = (organization: string) =>
    new Promise<boolean>((resolve) =>
      setQuestion({
        organization,
        answer: (yes) => {
          setQuestion(undefined)
          resolve(yes)
        },
      }),
    )
  return {
    sure: async (organization, send) => {
      try {
        await send({})
      } catch (error) {
        if (!(error instanceof ApiProblem && error.message === 'lastAdmin')) throw error
        if (!(await ask(organization))) return false
        await send({ force: 'true' })
      }
      return true
    },
    dialog: (
      <ConfirmDialog
        open={Boolean(question)}
        title={t('lastAdminTitle', { name: question?.organization ?? '' })}
        cancelLabel={t('cancel')}
        confirmLabel={t('lastAdminConfirm')}
        onCancel={() => question?.answer(false)}
        onConfirm={() => question?.answer(true)}
      >
        {t('lastAdminText')}
      </ConfirmDialog>
    ),
  }
}
