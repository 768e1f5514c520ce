import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DirectoryState, directories, maxScimTokens, type ScimToken } from '#contract/scim/scim.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { CreateTokenDialog } from './create-token-dialog.tsx'
import styles from './directory-tokens.module.css'
import { UnconfirmedToken } from './unconfirmed-token.tsx'

/** By which the directory calls: two at most, so that one can follow the other without a gap. */
export function DirectoryTokens({ state: { organizationId, tokens } }: { state: DirectoryState }) {
  const { t } = useTranslation()
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<ScimToken>()
  const nameMaker = useMakerName()
  return (
    <>
      <h3>{t('scimTokens')}</h3>
      {tokens
        .filter(({ stands }) => !stands)
        .map((token) => (
          <UnconfirmedToken key={token.tokenId} {...{ organizationId, token, maker: nameMaker(token) }} />
        ))}
      {tokens.length > 0 ? <TokenTable tokens={tokens} onRevoke={setRevoking} /> : <p>{t('scimNoTokens')}</p>}
      {tokens.length < maxScimTokens && (
        <div>
          <Button icon={Plus} onClick={() => setCreating(true)}>
            {t('scimCreateToken')}
          </Button>
        </div>
      )}
      {creating && <CreateTokenDialog organizationId={organizationId} onClose={() => setCreating(false)} />}
      {revoking && (
        <RevokeDialog organizationId={organizationId} token={revoking} onClose={() => setRevoking(undefined)} />
      )}
    </>
  )
}

/** Who made a token: a name, the operator, or somebody who is gone. */
function useMakerName() {
  const { t } = useTranslation()
  return ({ madeBy, byOperator }: ScimToken) => madeBy ?? t(byOperator ? 'theOperator' : 'accountGone')
}

function TokenTable({ tokens, onRevoke }: { tokens: readonly ScimToken[]; onRevoke: (token: ScimToken) => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const nameMaker = useMakerName()
  const columns: Column<ScimToken>[] = [
    {
      key: 'name',
      header: t('name'),
      rowHeader: true,
      cell: (token) => (
        <div>
          {token.name}
          <span className={styles.maker}>
            {t(token.byLink ? 'scimMadeByLink' : 'scimMadeBy', { name: nameMaker(token) })}
          </span>
        </div>
      ),
    },
    { key: 'expires', header: t('scimExpires'), cell: ({ expiresAt }) => dateTimeText(expiresAt, language) },
    {
      key: 'used',
      header: t('lastUsed'),
      cell: ({ lastUsedAt }) => (lastUsedAt ? dateTimeText(lastUsedAt, language) : '–'),
    },
    {
      key: 'revoke',
      header: t('actions'),
      buttons: true,
      cell: (token) => (
        <Button
          size="small"
          variant="ghost"
          aria-label={t('scimRevokeNamed', { name: token.name })}
          onClick={() => onRevoke(token)}
        >
          {t('scimRevoke')}
        </Button>
      ),
    },
  ]
  return <Table caption={t('scimTokens')} columns={columns} rows={tokens} rowKey={({ tokenId }) => tokenId} />
}

interface RevokeDialogProps {
  organizationId: string
  token: ScimToken
  onClose: () => void
}

function RevokeDialog({ organizationId, token: { tokenId, name }, onClose }: RevokeDialogProps) {
  const { t } = useTranslation()
  const revoke = useSave(directories.revokeToken, { inline: true })
  return (
    <ConfirmDialog
      open
      title={t('scimRevokeNamed', { name })}
      cancelLabel={t('cancel')}
      confirmLabel={t('scimRevoke')}
      loading={revoke.isPending}
      error={revoke.error && <Alert tone="danger">{problemText(revoke.error)}</Alert>}
      onConfirm={() => revoke.mutate({ params: { id: organizationId, tokenId } }, { onSuccess: onClose })}
      onCancel={onClose}
    >
      {t('scimRevokeText')}
    </ConfirmDialog>
  )
}
