import { Badge } from 'antd'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { pluralOf } from '#kit/base/localized-text.ts'
import { Icon } from '../theme/icon.tsx'
import type { IconName } from '#kit/base/icon-names.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import {
  filterChipsOf,
  filterableListFields,
  rangeFilterKeys,
  searchBarFields,
  timeFieldOfList,
  type ListTimeField,
} from './filters.ts'
import { FilterChips } from './filter-chips.tsx'
import { useCurrentList, useListActions, useListDefinition, useListSelection } from './list-scope.tsx'
import { withListFilters } from './list-state.ts'
import { findPeriod } from './periods.ts'
import { formatListTotal } from './use-list.ts'

const DateSheet = lazy(() => import('./date-sheet.tsx'))
const FilterSheet = lazy(() => import('./filter-sheet.tsx'))
const PageTools = lazy(() => import('./page-tools.tsx'))
const ViewTabs = lazy(() => import('./view-tabs.tsx'))

/**
 * Head of a list on a phone, one line that stays: saved views, the page's own choices, the time and the active filters
 * as chips, then buttons for filters and for everything else.
 */
export function PhoneListHead() {
  const t = useLocalize()
  const { resource, page, may } = useListDefinition()
  const list = useCurrentList()
  const { add } = useListActions()
  const time = page.embedded ? undefined : timeFieldOfList(resource)
  const fields = page.embedded ? resource.fields : filterableListFields(resource)
  const timeKeys = time && rangeFilterKeys(time.key, time.field)
  const { filters } = list.state
  const others = Object.fromEntries(
    Object.entries(filters).filter(([key]) => key !== timeKeys?.from && key !== timeKeys?.to),
  )
  const change = (changes: Record<string, string>) => list.set((before) => withListFilters(before, changes))
  const drop = (keys: string[]) => change(Object.fromEntries(keys.map((key) => [key, ''])))
  const hasFilters = searchBarFields(fields, time).length > 0
  const [open, setOpen] = useState<'filters' | 'tools'>()
  return (
    <div className="kit-phone-head">
      {!page.embedded && <h1 className="kit-hidden">{t(pluralOf(resource.label))}</h1>}
      <div className="kit-phone-chips">
        {!page.call && !page.embedded && (
          <Suspense>
            <ViewTabs />
          </Suspense>
        )}
        {page.head?.(list)}
        {time && <TimeChip time={time} filters={filters} onChange={change} />}
        <FilterChips fields={resource.fields} filters={others} texts={page.chips} onDrop={drop} />
      </div>
      {may.add && page.embedded && <HeadButton icon="plus" label={t(words.add)} onClick={() => add()} />}
      {hasFilters && (
        <HeadButton
          icon="filter"
          label={t(words.filters)}
          count={filterChipsOf(fields, others).length}
          onClick={() => setOpen('filters')}
        />
      )}
      <HeadButton icon="ellipsis" label={t(words.more)} onClick={() => setOpen('tools')} />
      <Suspense>
        {open === 'filters' && (
          <FilterSheet
            fields={fields}
            filters={filters}
            boxes={page.boxes}
            time={time}
            found={formatListTotal(list)}
            isOpen
            onChange={change}
            onClear={() => list.set((before) => ({ ...before, filters: {}, current: 1 }))}
            onClose={() => setOpen(undefined)}
          />
        )}
        {open === 'tools' && <PageTools onClose={() => setOpen(undefined)} />}
      </Suspense>
    </div>
  )
}

type HeadButtonProps = { icon: IconName; label: string; count?: number; onClick: () => void }

function HeadButton({ icon, label, count, onClick }: HeadButtonProps): ReactNode {
  return (
    <button type="button" className="kit-phone-tool" aria-label={label} onClick={onClick}>
      <Badge count={count ?? 0} size="small">
        <Icon name={icon} />
      </Badge>
    </button>
  )
}

type TimeChipProps = {
  time: ListTimeField
  filters: Record<string, string>
  onChange: (changes: Record<string, string>) => void
}

/** Chip with the days the list shows; opens the sheet that chooses them. */
function TimeChip({ time: { key, field }, filters, onChange }: TimeChipProps) {
  const t = useLocalize()
  const [isOpen, setOpen] = useState(false)
  const keys = rangeFilterKeys(key, field)
  const from = (filters[keys.from] ?? '').slice(0, 10)
  const to = (filters[keys.to] ?? '').slice(0, 10)
  const period = findPeriod(from, to)
  const text =
    !from && !to
      ? t(field.label)
      : period
        ? t(words[period])
        : from === to
          ? from.slice(5)
          : `${from.slice(5)} – ${to.slice(5)}`
  return (
    <>
      <button
        type="button"
        className="kit-chip"
        data-set={!!(from || to)}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {text} <Icon name="down" />
      </button>
      {isOpen && (
        <Suspense>
          <DateSheet
            title={t(field.label)}
            from={from}
            to={to}
            isOpen
            onChange={(nextFrom, nextTo) => onChange({ [keys.from]: nextFrom, [keys.to]: nextTo })}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** The one primary button of a list on a phone, within reach of the thumb. */
export function PhoneAddButton() {
  const t = useLocalize()
  const { may } = useListDefinition()
  const { add } = useListActions()
  const { isChoosing } = useListSelection()
  if (!may.add || isChoosing) return null
  return (
    <button type="button" className="kit-phone-add" aria-label={t(words.add)} onClick={() => add()}>
      <Icon name="plus" />
    </button>
  )
}
