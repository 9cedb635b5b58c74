import { Select } from 'antd'
import { lazy } from 'react'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSay } from '#kit/web/language.tsx'
import { words } from '#kit/web/page-words.ts'
import type { CellProps, FilterProps, WebKind } from '../web-kind.ts'

const isYes = (value: unknown) => value === true || value === 1 || value === '1' || value === 'true'

function BooleanCell({ value }: CellProps) {
  const say = useSay()
  return isYes(value) ? (
    <span className="kit-yes">
      <Icon name="check-circle" /> {say(words.yes)}
    </span>
  ) : (
    <span className="kit-quiet">
      <Icon name="minus" /> {say(words.no)}
    </span>
  )
}

function BooleanFilter({ value, onChange, id }: FilterProps) {
  const say = useSay()
  const options = [
    { value: 'true', label: say(words.yes) },
    { value: 'false', label: say(words.no) },
  ]
  return (
    <Select
      id={id}
      className="kit-fill"
      allowClear
      placeholder={say(words.all)}
      value={value || null}
      onChange={(next) => onChange(next ?? '')}
      options={options}
    />
  )
}

function BooleanText({ value }: { value: string }) {
  return <>{useSay()(isYes(value) ? words.yes : words.no)}</>
}

export const booleanWeb: WebKind = {
  Cell: BooleanCell,
  Input: lazy(() => import('./boolean-input.web.tsx')),
  Filter: BooleanFilter,
  FilterText: BooleanText,
  width: 90,
  drawsBlank: true,
  drawnAs: 'mark',
  savesOnChoice: true,
}
