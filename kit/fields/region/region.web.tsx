import { lazy } from 'react'
import { valueLabelKeyOf } from '#kit/resource/define-resource.ts'
import { TextLineCell } from '../plain.web.tsx'
import type { CellProps, FilterProps, InputProps, WebFieldKind } from '../web-kind.ts'

const RegionCascader = lazy(() => import('./region-cascader.web.tsx'))
const RegionPath = lazy(() =>
  import('./region-cascader.web.tsx').then((module) => ({ default: module.RegionPathText })),
)

function RegionCell({ name, field, value, row, place }: CellProps) {
  const path = String(row[valueLabelKeyOf(name, field)] || value)
  return <TextLineCell value={field.isLevel ? path.split('/').at(-1) : path} place={place} />
}

const RegionInput = ({ value, onChange, id, disabled, invalid, describedBy }: InputProps) => (
  <RegionCascader
    value={String(value ?? '')}
    onChange={onChange}
    id={id}
    disabled={disabled}
    invalid={invalid}
    describedBy={describedBy}
  />
)

/** Search box for a region. It may stop at a province or city, which finds every region inside. */
const RegionFilter = ({ value, onChange, id }: FilterProps) => (
  <RegionCascader value={value} onChange={onChange} id={id} anyLevel />
)

export const regionWebKind: WebFieldKind = {
  Cell: RegionCell,
  Input: RegionInput,
  Filter: RegionFilter,
  FilterText: ({ value }) => <RegionPath code={value} />,
  width: 190,
  savesOnChoice: true,
}
