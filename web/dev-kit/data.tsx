import Clock from 'lucide-react/icons/clock'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { Badge, BadgeList } from '#web/ui/badge.tsx'
import { DescriptionList } from '#web/ui/description-list.tsx'
import { SearchInput } from '#web/ui/fields/search-input.tsx'
import { Breadcrumb } from '#web/ui/frame/breadcrumb.tsx'
import { Card, Toolbar } from '#web/ui/frame/page.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ServiceCard, ServiceGrid, StarButton } from '#web/ui/service-card.tsx'
import { Pagination } from '#web/ui/table/pagination.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import type { Sort } from '#web/ui/table/table-sort.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import styles from './kit.module.css'
import { services, users } from './samples.ts'
import { Specimen, type Theme } from './specimen.tsx'

type User = (typeof users)[number]

export function Data() {
  return (
    <>
      <Specimen name="Table" note="Click a row, its link, a header; narrow the window for cards.">
        {(theme) => <Users theme={theme} />}
      </Specimen>
      <Specimen name="Tabs">{(theme) => <TabSample theme={theme} />}</Specimen>
      <Specimen name="Service cards">
        {(theme) => (
          <ServiceGrid label={`Your services (${theme})`}>
            {services.map((service) => (
              <li key={service.name}>
                <ServiceCard
                  {...service}
                  href="#data"
                  action={<StarButton label={`Favourite: ${service.name}`} pressed={false} />}
                />
              </li>
            ))}
          </ServiceGrid>
        )}
      </Specimen>
      <Specimen name="Description list, breadcrumb">
        {(theme) => (
          <div className={styles.wide}>
            <Breadcrumb label={`You are here (${theme})`}>
              <a href="#data">Administration</a>
              <a href="#data">Organisations</a>
              <span aria-current="page">Nordvik AB</span>
            </Breadcrumb>
            <Card>
              <DescriptionList
                items={[
                  { term: 'Event', value: 'Organisation updated' },
                  { term: 'By', value: 'super@vestibule.example' },
                  { term: 'Phone number', value: null },
                ]}
              />
            </Card>
          </div>
        )}
      </Specimen>
    </>
  )
}

function Users({ theme }: { theme: Theme }) {
  const [sort, setSort] = useState<Sort>({ key: 'email', direction: 'asc' })
  const [page, setPage] = useState(1)
  const [busy, setBusy] = useState(false)
  const [search, setSearch] = useState('')
  const turn = sort.direction === 'asc' ? 'desc' : 'asc'
  const columns: Column<User>[] = [
    {
      key: 'email',
      header: 'E-mail',
      sortable: true,
      rowHeader: true,
      cell: (user) => <a href={`#${user.id}`}>{user.email}</a>,
    },
    { key: 'name', header: 'First name', sortable: true, cell: (user) => user.name },
    {
      key: 'services',
      header: 'Services',
      cell: (user) => <BadgeList names={user.services} moreLabel={(hidden) => `and ${hidden.join(', ')}`} />,
    },
    {
      key: 'status',
      header: 'Status',
      cell: (user) =>
        user.pending && (
          <Badge tone="warn" icon={Clock}>
            Pending
          </Badge>
        ),
    },
    {
      key: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (user) => <IconButton icon={Plus} label={`Add ${user.email} to a service`} />,
    },
  ]
  return (
    <Card flush>
      <Toolbar>
        <SearchInput label={`Search (${theme})`} clearLabel="Clear search" value={search} onChange={setSearch} />
      </Toolbar>
      <Table
        caption={`Users, ${theme}`}
        columns={columns}
        rows={users}
        rowKey={(user) => user.id}
        sort={sort}
        onSort={(key, direction) =>
          setSort({ key, direction: direction ?? (key === sort.key ? turn : sort.direction) })
        }
        sortLabels={{
          label: 'Sort by',
          ascending: (column) => `${column}: A to Z`,
          descending: (column) => `${column}: Z to A`,
        }}
        busy={busy}
      />
      <Pagination
        label={`Pages of users (${theme})`}
        page={page}
        pageCount={14}
        summary={`${page * 10 - 9}–${Math.min(page * 10, 137)} of 137`}
        pageText={`Page ${page} of 14`}
        previousLabel="Previous"
        nextLabel="Next"
        href={(to) => `?page=${to}`}
        onPage={(to) => {
          setPage(to)
          setBusy(true)
          setTimeout(() => setBusy(false), 600)
        }}
      />
    </Card>
  )
}

function TabSample({ theme }: { theme: Theme }) {
  const [tab, setTab] = useState('general')
  return (
    <Tabs
      label={`Edit user (${theme})`}
      value={tab}
      onChange={setTab}
      tabs={[
        { value: 'general', label: 'General', panel: <p>Names, personal number, phone.</p> },
        {
          value: 'permissions',
          label: 'Permissions',
          errors: tab === 'permissions' ? undefined : { count: 2, text: '2 errors' },
          panel: <p>Organisations and services.</p>,
        },
        { value: 'history', label: 'A tab with quite a long name', panel: <p>What happened.</p> },
        { value: 'more', label: 'One more that may scroll', panel: <p>And more.</p> },
      ]}
    />
  )
}
