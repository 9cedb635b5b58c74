import { Button } from 'antd'
import { Suspense, useId, useState } from 'react'
import type { Field, Fields } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { Sheet } from '../parts/sheet.tsx'
import { useDictionary } from '../parts/use-dictionary.ts'
import { searchBarFields, searchBoxFilterKeys, type ActiveFilters, type ListTimeField } from './filters.ts'
import { SearchBox, type SearchBoxOverrides } from './search-bar.tsx'

type Props = {
  fields: Fields
  filters: ActiveFilters
  boxes?: SearchBoxOverrides
  time?: ListTimeField
  /** Number of rows the filters find now, as text. */
  found: string
  isOpen: boolean
  onChange: (changes: ActiveFilters) => void
  onClear: () => void
  onClose: () => void
}

/** Conditions shown at once; the others unfold. */
const FIRST_MAX = 6

/** Sheet with the conditions of a list. Each acts at once; the button tells how many rows there are now. */
export default function FilterSheet({ isOpen, onClose, onClear, found, ...rest }: Props) {
  const t = useLocalize()
  const foot = (
    <div className="kit-sheet-foot">
      <Button size="large" onClick={onClear}>
        {t(words.reset)}
      </Button>
      <Button type="primary" size="large" onClick={onClose}>
        {t(words.showFound, { total: found })}
      </Button>
    </div>
  )
  return (
    <Sheet title={t(words.filters)} isOpen={isOpen} onClose={onClose} foot={foot}>
      <Conditions {...rest} />
    </Sheet>
  )
}

type ConditionsProps = Pick<Props, 'fields' | 'filters' | 'boxes' | 'time' | 'onChange'>

function Conditions({ fields, filters, boxes, time, onChange }: ConditionsProps) {
  const t = useLocalize()
  const all = searchBarFields(fields, time)
  const [isWhole, setWhole] = useState(all.length <= FIRST_MAX + 1)
  const shown = isWhole ? all : all.slice(0, FIRST_MAX)
  return (
    <div className="kit-conditions">
      {shown.map(([key, field]) =>
        isChoice(key, field, boxes) ? (
          <Choices key={key} name={key} field={field} filters={filters} onChange={onChange} />
        ) : (
          <Suspense key={key}>
            <SearchBox name={key} field={field} filters={filters} Own={boxes?.[key]} onChange={onChange} />
          </Suspense>
        ),
      )}
      {!isWhole && (
        <Button type="link" size="large" onClick={() => setWhole(true)}>
          {t(words.otherConditions, { count: all.length - FIRST_MAX })}
        </Button>
      )}
    </div>
  )
}

/** A dictionary, or yes and no, is chosen by chips. */
function isChoice(key: string, field: Field, boxes: SearchBoxOverrides | undefined): boolean {
  const { choices } = fieldKindOf(field)
  return (
    !boxes?.[key] &&
    (choices === 'yesNo' || (choices === 'dictionary' && !!field.dict)) &&
    'one' in searchBoxFilterKeys(key, field)
  )
}

type ChoicesProps = { name: string; field: Field; filters: ActiveFilters; onChange: (changes: ActiveFilters) => void }

function Choices({ name, field, filters, onChange }: ChoicesProps) {
  const t = useLocalize()
  const id = useId()
  const isYesNo = fieldKindOf(field).choices === 'yesNo'
  const { choices } = useDictionary(isYesNo ? undefined : field.dict)
  const keys = searchBoxFilterKeys(name, field)
  const wireKey = 'one' in keys ? keys.one : keys.from
  const chosen = (filters[wireKey] ?? '').split(',').filter(Boolean)
  const offered = isYesNo
    ? [
        { key: 'true', label: t(words.yes) },
        { key: 'false', label: t(words.no) },
      ]
    : choices
  const toggle = (key: string) => {
    const others = chosen.filter((one) => one !== key)
    const next = chosen.includes(key) ? others : isYesNo ? [key] : [...chosen, key]
    onChange({ [wireKey]: next.join(',') })
  }
  return (
    <div className="kit-search-box" role="group" aria-labelledby={id}>
      <span id={id} className="kit-search-label">
        {t(field.label)}
      </span>
      <div className="kit-choice-chips">
        {offered.map(({ key, label }) => (
          <button key={key} type="button" aria-pressed={chosen.includes(key)} onClick={() => toggle(key)}>
            {label}
          </button>
        ))}
      </div>
    </div>
  )
}
