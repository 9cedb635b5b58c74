import { Badge, Button, Segmented } from 'antd'
import { lazy, Suspense, useId, useState } from 'react'
import type { Field, Fields } from '#kit/fields/field-kind.ts'
import { NumberRange } from '#kit/fields/number/range-filter.web.tsx'
import { TextFilter } from '#kit/fields/plain.web.tsx'
import { webKindOf } from '#kit/fields/web.ts'
import { baseFields } from '#kit/resource/define-resource.ts'
import { quickOf, quickRange, searchFields, searchKeys, type Filters, type QuickRange } from './filters.ts'
import { Icon } from './icon.tsx'
import { useSay } from './language.tsx'
import { words } from './page-words.ts'
import { useScreen } from './screen.ts'

const DateRange = lazy(() => import('#kit/fields/date/range-filter.web.tsx'))

type Props = {
  fields: Fields
  filters: Filters
  onChange: (changes: Filters) => void
  /** Without the quick options over the time of creation. */
  noTime?: boolean
}

const FIRST = [2, 2, 3, 4]

/** Search boxes for the fields that ask for one; what is chosen applies at once, what is typed on Enter. */
export function SearchBar({ fields, filters, onChange, noTime }: Props) {
  const say = useSay()
  const screen = useScreen()
  const [open, setOpen] = useState(false)
  const boxes = searchFields(fields)
  const isPhone = screen === 0
  if (!boxes.length && noTime) return null
  const first = FIRST[screen]!
  // A box behind "more" that holds a filter would hide why rows are missing.
  const hidden = boxes.slice(first).filter(([key, field]) => !isFilled(key, field, filters))
  const shown = open || isPhone ? boxes : boxes.filter((box) => !hidden.includes(box))
  const count = Object.keys(filters).length
  if (isPhone && !open) {
    return (
      <div className="kit-search kit-search-phone">
        {!noTime && <QuickTime filters={filters} onChange={onChange} />}
        <Badge count={count} size="small"><Button size="large" aria-label={say(words.filters)} icon={<Icon name="filter" />} onClick={() => setOpen(true)} /></Badge>
      </div>
    )
  }
  return (
    <search className="kit-search">
      <div className="kit-search-grid">
        {shown.map(([key, field]) => <SearchBox key={key} name={key} field={field} filters={filters} onChange={onChange} />)}
      </div>
      <div className="kit-search-foot">
        {!noTime && <QuickTime filters={filters} onChange={onChange} />}
        <span className="kit-grow" />
        {(hidden.length > 0 || open) && (
          <Button type="link" size={isPhone ? 'large' : 'middle'} onClick={() => setOpen(!open)}>
            {say(open ? words.fewerFilters : words.moreFilters)} <Icon name={open ? 'up' : 'down'} />
          </Button>
        )}
      </div>
    </search>
  )
}

function isFilled(key: string, field: Field, filters: Filters) {
  const keys = searchKeys(key, field)
  return 'one' in keys ? keys.one in filters : keys.from in filters || keys.to in filters
}

function SearchBox({ name, field, filters, onChange }: { name: string, field: Field, filters: Filters, onChange: (changes: Filters) => void }) {
  const say = useSay()
  const id = useId()
  const keys = searchKeys(name, field)
  return (
    <div className="kit-search-box">
      <label htmlFor={id}>{say(field.label)}</label>
      <Suspense fallback={<span className="kit-skeleton kit-skeleton-input" />}>
        {'one' in keys ? <OneBox id={id} name={name} field={field} value={filters[keys.one] ?? ''} onChange={(value) => onChange({ [keys.one]: value })} /> : (
          <RangeBox id={id} field={field} from={filters[keys.from] ?? ''} to={filters[keys.to] ?? ''} onChange={(from, to) => onChange({ [keys.from]: from, [keys.to]: to })} />
        )}
      </Suspense>
    </div>
  )
}

function OneBox(props: { id: string, name: string, field: Field, value: string, onChange: (value: string) => void }) {
  const Filter = webKindOf(props.field).Filter ?? TextFilter
  return <Filter {...props} />
}

type RangeProps = { id: string, field: Field, from: string, to: string, onChange: (from: string, to: string) => void }

function RangeBox({ field, ...range }: RangeProps) {
  return field.kind === 'date' || field.kind === 'datetime' ? <DateRange {...range} /> : <NumberRange {...range} />
}

/** Today, yesterday, the last seven days, all; or days chosen by hand. */
function QuickTime({ filters, onChange }: { filters: Filters, onChange: (changes: Filters) => void }) {
  const say = useSay()
  const id = useId()
  const [byHand, setByHand] = useState(false)
  const keys = searchKeys('createTime', baseFields.createTime) as { from: string, to: string }
  const from = (filters[keys.from] ?? '').slice(0, 10)
  const to = (filters[keys.to] ?? '').slice(0, 10)
  const quick = quickOf(from, to)
  const set = (nextFrom: string, nextTo: string) => onChange({ [keys.from]: nextFrom, [keys.to]: nextTo })
  const isCustom = byHand || !quick
  return (
    <div className="kit-quick" role="group" aria-label={say(baseFields.createTime.label)}>
      <span className="kit-quick-label">{say(baseFields.createTime.label)}</span>
      <Segmented<QuickRange | 'custom'>
        aria-label={say(baseFields.createTime.label)}
        value={isCustom ? 'custom' : quick}
        onChange={(next) => {
          setByHand(next === 'custom')
          if (next === 'custom') return
          const bounds = quickRange(next)
          set(bounds.from, bounds.to)
        }}
        options={[
          ...(['today', 'yesterday', 'week', 'all'] as const).map((value) => ({ value, label: say(words[value]) })),
          { value: 'custom', label: say(words.custom) },
        ]}
      />
      {isCustom && <Suspense><DateRange id={id} from={from} to={to} onChange={set} defaultOpen={byHand && !from} /></Suspense>}
    </div>
  )
}
