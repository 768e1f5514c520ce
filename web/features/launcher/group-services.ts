import type { LauncherService } from '#contract/launcher/launcher.ts'

/** From so many services on there are groups, a search and a choice of views; fewer are seen at a glance. */
export const many = 7
const recent = 4

type Grouped = Pick<LauncherService, 'serviceId' | 'name' | 'category' | 'categoryPosition' | 'favourite' | 'lastUsed'>

export interface ServiceGroup<Service> {
  /** A category, or one of the groups of the person. */
  kind: 'favourites' | 'recentlyUsed' | 'category' | 'otherServices'
  /** The name of the category. */
  name: string
  services: Service[]
}

/**
 * Favourites first, then what was used last, then the categories in their order; each service once.
 *
 * @param together one list instead, favourites first: for few services, and for what a search has found
 */
export function groupServices<Service extends Grouped>(
  services: readonly Service[],
  together: boolean,
): ServiceGroup<Service>[] {
  const favourites = services.filter(({ favourite }) => favourite)
  const others = services.filter(({ favourite }) => !favourite)
  if (together) return services.length > 0 ? [all([...favourites, ...others])] : []
  const used = others
    .filter(({ lastUsed }) => lastUsed)
    .sort((a, b) => (b.lastUsed ?? '').localeCompare(a.lastUsed ?? ''))
    .slice(0, recent)
  const rest = others.filter((service) => !used.includes(service))
  const groups: ServiceGroup<Service>[] = [
    { kind: 'favourites', name: '', services: favourites },
    { kind: 'recentlyUsed', name: '', services: used },
    ...byCategory(rest),
    all(rest.filter(({ category }) => !category)),
  ]
  return groups.filter((group) => group.services.length > 0)
}

const all = <Service>(services: Service[]): ServiceGroup<Service> => ({ kind: 'otherServices', name: '', services })

function byCategory<Service extends Grouped>(services: readonly Service[]): ServiceGroup<Service>[] {
  const inOrder = services
    .filter(({ category }) => category)
    .sort(
      (a, b) =>
        (a.categoryPosition ?? Number.POSITIVE_INFINITY) - (b.categoryPosition ?? Number.POSITIVE_INFINITY) ||
        (a.category ?? '').localeCompare(b.category ?? '', 'sv'),
    )
  return [...Map.groupBy(inOrder, ({ category }) => category ?? '')].map(([name, members]) => ({
    kind: 'category',
    name,
    services: members,
  }))
}
