import { useTranslation } from 'react-i18next'
import type { DirectoryGroup, DirectoryGroupKind } from '#contract/scim/directory-groups.ts'
import { Alert } from '#web/ui/alert.tsx'

/** How many people a decision is about, and who the first of them are. */
export function WhoGetsIt({ group, becomes }: { group: DirectoryGroup; becomes: DirectoryGroupKind }) {
  const { t } = useTranslation()
  const { people, reached, names, groupId, role } = group
  const isNothing = becomes === 'nothing'
  if (isNothing && groupId === null && role === null) return null
  const [now, later] = [reached, people - reached]
  const more = now - names.length
  const list = names.join(', ')
  return (
    <Alert
      tone="info"
      title={
        now === 0 ? t('scimGroupReachesNobody') : t(isNothing ? 'scimGroupLoses' : 'scimGroupReaches', { count: now })
      }
    >
      {now > 0 && <p>{more > 0 ? t('scimGroupNamesAndMore', { names: list, count: more }) : list}</p>}
      {!isNothing && later > 0 && <p>{t('scimGroupReachesLater', { count: later })}</p>}
    </Alert>
  )
}
