import { Select } from 'antd'
import { lazy } from 'react'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import type { CellProps, FilterProps, WebFieldKind } from '../web-kind.ts'

const isYes = (value: unknown) => value === true || value === 1 || value === '1' || value === 'true'

function BooleanCell({ value }: CellProps) {
  const t = useLocalize()
  return isYes(value) ? (
    <span className="kit-yes">
      <Icon name="check-circle" /> {t(words.yes)}
    </span>
  ) : (
    <span className="kit-quiet">
      <Icon name="minus" /> {t(words.no)}
    </span>
  )
}

function BooleanFilter({ value, onChange, id }: FilterProps) {
  const t = useLocalize()
  const options = [
    { value: 'true', label: t(words.yes) },
    { value: 'false', label: t(words.no) },
  ]
  return (
    <Select
      id={id}
      className="kit-fill"
      allowClear
      placeholder={t(words.all)}
      value={value || null}
      onChange={(next) => onChange(next ?? '')}
      options={options}
    />
  )
}

function BooleanText({ value }: { value: string }) {
  return <>{useLocalize()(isYes(value) ? words.yes : words.no)}</>
}

export const booleanWebKind: WebFieldKind = {
  Cell: BooleanCell,
  Input: lazy(() => import('./boolean-input.web.tsx')),
  Filter: BooleanFilter,
  FilterText: BooleanText,
  width: 90,
  drawsBlank: true,
  drawnAs: 'mark',
  savesOnChoice: true,
}
