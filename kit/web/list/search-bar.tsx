import { Badge, Button, Segmented } from 'antd'
import { lazy, Suspense, useId, useRef, useState, type ComponentType, type ReactNode } from 'react'
import type { Field, Fields } from '#kit/fields/base/field-kind.ts'
import { NumberRangeFilter } from '#kit/fields/number/range-filter.web.tsx'
import { TextFilter } from '#kit/fields/plain.web.tsx'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import type { FilterProps } from '#kit/fields/web-kind.ts'
import { webFieldKindOf } from '#kit/fields/web.ts'
import {
  filterChipsOf,
  findQuickRange,
  quickRangeBounds,
  rangeFilterKeys,
  searchBarFields,
  searchBoxFilterKeys,
  type ActiveFilters,
  type ListTimeField,
  type QuickRange,
} from './filters.ts'
import { fitSearchBoxes } from './fit-filters.ts'
import { Icon } from '../theme/icon.tsx'
import { useLocalize, type LocalizeFunction } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { useScreenSize } from '../base/screen.ts'
import { measureTextWidth } from './text-width.ts'
import { useElementWidth } from './use-width.ts'

const DateRange = lazy(() => import('#kit/fields/date/range-filter.web.tsx'))

/** A page's own search boxes by field, instead of those of the kinds. */
export type SearchBoxOverrides = { readonly [key in string]?: ComponentType<FilterProps> }

type Props = {
  fields: Fields
  filters: ActiveFilters
  boxes?: SearchBoxOverrides
  onChange: (changes: ActiveFilters) => void
  /** Time field the quick buttons filter by; without it there are none. */
  time?: ListTimeField
  /** Toolbar of the list, shown in the same line if there is room. */
  beside?: ReactNode
}

/**
 * Search boxes of the searchable fields. Chosen values apply at once, typed ones on Enter. Shows one line; the other
 * boxes unfold below it.
 */
export function SearchBar({ beside, ...props }: Props) {
  const isPhone = useScreenSize() === 0
  if (!searchBarFields(props.fields, props.time).length && !props.time) return <div className="kit-bar">{beside}</div>
  return isPhone ? (
    <>
      <PhoneSearch {...props} />
      {beside}
    </>
  ) : (
    <WideSearch {...props} beside={beside} />
  )
}

function PhoneSearch({ fields, filters, boxes, onChange, time }: Props) {
  const t = useLocalize()
  const [open, setOpen] = useState(false)
  // Both ends of a range count as one filter, as in the chips below.
  const count = filterChipsOf(fields, filters).length
  if (!open) {
    return (
      <div className="kit-search kit-search-phone">
        {time && <QuickTime time={time} filters={filters} onChange={onChange} />}
        <Badge count={count} size="small">
          <Button
            size="large"
            aria-label={t(words.filters)}
            icon={<Icon name="filter" />}
            onClick={() => setOpen(true)}
          />
        </Badge>
      </div>
    )
  }
  return (
    <search className="kit-search">
      <div className="kit-search-grid">
        {searchBarFields(fields, time).map(([key, field]) => (
          <SearchBox key={key} name={key} field={field} filters={filters} Own={boxes?.[key]} onChange={onChange} />
        ))}
      </div>
      <div className="kit-search-foot">
        {time && <QuickTime time={time} filters={filters} onChange={onChange} />}
        <span className="kit-grow" />
        <Button type="link" size="large" onClick={() => setOpen(false)}>
          {t(words.fewerFilters)} <Icon name="up" />
        </Button>
      </div>
    </search>
  )
}

function WideSearch({ fields, filters, boxes: own, onChange, time, beside }: Props) {
  const t = useLocalize()
  const id = useId()
  const line = useRef<HTMLElement>(null)
  const width = useElementWidth(line)
  const [open, setOpen] = useState(false)
  const all = searchBarFields(fields, time)
  const fits = fitSearchBoxes(all.length, time ? quickWidth(time, t) : 0, width ?? 0)
  const boxes = all.map(([key, field]) => (
    <SearchBox key={key} name={key} field={field} filters={filters} Own={own?.[key]} onChange={onChange} />
  ))
  const rest = boxes.slice(fits.boxes)
  const timeBelow = fits.hasTime ? undefined : time
  const hasMore = rest.length > 0 || !!timeBelow
  return (
    <>
      <div className="kit-bar">
        <search ref={line} className="kit-search-line" aria-label={t(words.filters)}>
          {boxes.slice(0, fits.boxes)}
          {time && fits.hasTime && <QuickTime time={time} filters={filters} onChange={onChange} />}
          {hasMore && (
            <Button type="link" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
              {t(open ? words.fewerFilters : words.moreFilters)} <Icon name={open ? 'up' : 'down'} />
            </Button>
          )}
        </search>
        {beside}
      </div>
      {open && hasMore && (
        <search id={id} className="kit-search" aria-label={t(words.moreFilters)}>
          <div className="kit-search-grid">{rest}</div>
          {timeBelow && <QuickTime time={timeBelow} filters={filters} onChange={onChange} />}
        </search>
      )}
    </>
  )
}

/** One condition of a list: the label and the box of its kind, or the page's own. */
export function SearchBox({
  name,
  field,
  filters,
  Own,
  onChange,
}: {
  name: string
  field: Field
  filters: ActiveFilters
  Own: ComponentType<FilterProps> | undefined
  onChange: (changes: ActiveFilters) => void
}) {
  const t = useLocalize()
  const id = useId()
  const keys = searchBoxFilterKeys(name, field)
  return (
    <div className="kit-search-box">
      <label htmlFor={id}>{t(field.label)}</label>
      <Suspense fallback={<span className="kit-skeleton kit-skeleton-input" />}>
        {'one' in keys ? (
          <OneBox
            id={id}
            name={name}
            field={field}
            Own={Own}
            value={filters[keys.one] ?? ''}
            onChange={(value) => onChange({ [keys.one]: value })}
          />
        ) : (
          <RangeBox
            id={id}
            field={field}
            from={filters[keys.from] ?? ''}
            to={filters[keys.to] ?? ''}
            onChange={(from, to) => onChange({ [keys.from]: from, [keys.to]: to })}
          />
        )}
      </Suspense>
    </div>
  )
}

function OneBox({ Own, ...props }: FilterProps & { Own: ComponentType<FilterProps> | undefined }) {
  const Filter = Own ?? webFieldKindOf(props.field).Filter ?? TextFilter
  return <Filter {...props} />
}

type RangeProps = { id: string; field: Field; from: string; to: string; onChange: (from: string, to: string) => void }

function RangeBox({ field, ...range }: RangeProps) {
  const { readsAs } = fieldKindOf(field)
  return readsAs === 'day' || readsAs === 'moment' ? <DateRange {...range} /> : <NumberRangeFilter {...range} />
}

const QUICK = ['today', 'yesterday', 'week', 'all'] as const

/** Width in pixels of the quick time buttons: the field's label and the words with antd's padding. */
const quickWidth = ({ field }: ListTimeField, t: LocalizeFunction) =>
  [...QUICK, 'custom' as const].reduce(
    (sum, key) => sum + measureTextWidth(t(words[key])) + 22,
    measureTextWidth(t(field.label)) + 16,
  )

/** Quick filter by time: all, today, yesterday, the last seven days, or days chosen by hand. */
function QuickTime({
  time: { key, field },
  filters,
  onChange,
}: {
  time: ListTimeField
  filters: ActiveFilters
  onChange: (changes: ActiveFilters) => void
}) {
  const t = useLocalize()
  const id = useId()
  const [byHand, setByHand] = useState(false)
  const keys = rangeFilterKeys(key, field)
  const from = (filters[keys.from] ?? '').slice(0, 10)
  const to = (filters[keys.to] ?? '').slice(0, 10)
  const quick = findQuickRange(from, to)
  const set = (nextFrom: string, nextTo: string) => onChange({ [keys.from]: nextFrom, [keys.to]: nextTo })
  const isCustom = byHand || !quick
  return (
    <div className="kit-quick" role="group" aria-label={t(field.label)}>
      <span className="kit-quick-label" aria-hidden>
        {t(field.label)}
      </span>
      <Segmented<QuickRange | 'custom'>
        aria-label={t(field.label)}
        value={isCustom ? 'custom' : quick}
        onChange={(next) => {
          setByHand(next === 'custom')
          if (next === 'custom') return
          const bounds = quickRangeBounds(next)
          set(bounds.from, bounds.to)
        }}
        options={[
          ...QUICK.map((value) => ({ value, label: t(words[value]) })),
          { value: 'custom', label: t(words.custom) },
        ]}
      />
      {isCustom && (
        <Suspense>
          <DateRange id={id} from={from} to={to} onChange={set} defaultOpen={byHand && !from} />
        </Suspense>
      )}
    </div>
  )
}
