import Clock from 'lucide-react/icons/clock'
import SearchX from 'lucide-react/icons/search-x'
import { Alert } from '#web/ui/alert.tsx'
import { Badge, BadgeList } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { QrCode, QrPlace } from '#web/ui/qr-code.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { EmptyState, ErrorState } from '#web/ui/state.tsx'
import styles from './kit.module.css'
import { Row, Specimen } from './specimen.tsx'

/** The QR code of BankID's documentation, one second after the order started. */
const bankIdCode =
  'bankid.67df3917-fa0d-44e5-b327-edcc928297f8.0.dc69358e712458a66a7525beef148ae8526b1c71610eff2c16cdffb4cdac9bf8'

export function Messages() {
  return (
    <>
      <Specimen name="Alert">
        {() => (
          <div className={styles.wide}>
            <Alert tone="danger">The e-mail or the password is wrong.</Alert>
            <Alert tone="warn" title="This account signs in another way">
              Nordvik AB uses BankID. <a href="#messages">Read more</a>
            </Alert>
            <Alert tone="ok">The password is updated.</Alert>
            <Alert tone="info" action={<Button size="small">Send again</Button>}>
              The invitation has not been accepted yet.
            </Alert>
          </div>
        )}
      </Specimen>
      <Specimen name="Chips">
        {(theme) => (
          <Chip removeLabel={`Remove filter Status: Invited (${theme})`} onRemove={() => undefined}>
            Status: Invited
          </Chip>
        )}
      </Specimen>
      <Specimen name="Badges">
        {() => (
          <>
            <Row>
              <Badge>Journal</Badge>
              <Badge tone="accent">Organisation admin</Badge>
              <Badge tone="warn" icon={Clock}>
                Pending
              </Badge>
              <Badge tone="danger">Inactive</Badge>
              <Badge tone="ok">Active</Badge>
            </Row>
            <Row>
              <BadgeList
                names={['Journal', 'Bokning', 'Lön', 'Arkiv']}
                moreLabel={(hidden) => `and ${hidden.join(', ')}`}
              />
            </Row>
          </>
        )}
      </Specimen>
      <Specimen name="Waiting">
        {() => (
          <div className={styles.wide}>
            <Row>
              <Spinner size={16} />
              <Spinner />
              <Spinner size={40} label="Opening your sign-in service" />
            </Row>
            <SkeletonGroup label="Loading">
              <Skeleton shape="title" width="half" />
              <Skeleton count={2} />
              <Skeleton width="short" />
              <Skeleton shape="control" />
            </SkeletonGroup>
          </div>
        )}
      </Specimen>
      <Specimen name="QR code" note="Dark on white in both themes; what stands for it is as large.">
        {() => (
          <Row>
            <QrCode value={bankIdCode} label="QR code for the BankID app" />
            <QrPlace>
              <Spinner size={40} />
            </QrPlace>
          </Row>
        )}
      </Specimen>
      <Specimen name="Nothing here">
        {() => (
          <Card flush>
            <EmptyState icon={SearchX} action={<Button>Clear search</Button>}>
              No users match “xyz”.
            </EmptyState>
          </Card>
        )}
      </Specimen>
      <Specimen name="Did not load">
        {() => <ErrorState action={<Button size="small">Try again</Button>}>The users could not be loaded.</ErrorState>}
      </Specimen>
    </>
  )
}
