import { Button, Tag } from 'antd'
import type { ComponentType } from 'react'
import type { Fields } from '#kit/fields/base/field-kind.ts'
import { webFieldKindOf } from '#kit/fields/web.ts'
import { filterChipsOf, type FilterChip, type ActiveFilters } from './filters.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'

export type FilterChipTexts = { readonly [key in string]?: ComponentType<{ value: string }> }

type Props = {
  fields: Fields
  filters: ActiveFilters
  /** Texts of a page for values of its filters, instead of those of the kinds. */
  texts?: FilterChipTexts
  onDrop: (keys: string[]) => void
}

/** Chips of the active filters, each with a button that removes it. */
export function FilterChips({ fields, filters, texts, onDrop }: Props) {
  const t = useLocalize()
  const chips = filterChipsOf(fields, filters)
  if (!chips.length) return null
  return (
    <div className="kit-chips" role="group" aria-label={t(words.activeFilters)}>
      {chips.map((chip) => (
        <Tag
          key={chip.keys.join()}
          variant="outlined"
          closable={{ 'aria-label': t(words.dropFilter, { name: t(chip.field.label) }) }}
          onClose={(event) => {
            event.preventDefault()
            onDrop(chip.keys)
          }}
        >
          <span className="kit-quiet">{t(chip.field.label)}</span>{' '}
          <ChipText chip={chip} Own={texts?.[chip.keys[0]!] ?? texts?.[chip.key]} />
        </Tag>
      ))}
      <Button type="link" size="small" onClick={() => onDrop(chips.flatMap((chip) => chip.keys))}>
        {t(words.clearFilters)}
      </Button>
    </div>
  )
}

function ChipText({ chip, Own }: { chip: FilterChip; Own?: ComponentType<{ value: string }> }) {
  const t = useLocalize()
  const { one, from, to, field, filled, isStrict } = chip
  if (filled !== undefined) return <>{t(filled ? words.isFilled : words.isEmpty)}</>
  if (one === undefined) {
    if (from && to) return <>{from === to ? from : `${from} ~ ${to}`}</>
    const [over, under] = isStrict ? ['>', '<'] : ['≥', '≤']
    return <>{from ? `${over} ${from}` : `${under} ${to ?? ''}`}</>
  }
  if (Own) return <Own value={one} />
  const FilterText = webFieldKindOf(field).FilterText
  return (
    <>
      {chip.negative && t(words.not)}
      {FilterText ? <FilterText field={field} value={one} /> : one}
    </>
  )
}
