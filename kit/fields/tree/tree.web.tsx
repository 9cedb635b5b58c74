import { lazy } from 'react'
import { valueLabelKeyOf } from '#kit/resource/define-resource.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import { isParentFieldName } from './parent-name.ts'
import { RefText } from '../ref/ref.web.tsx'
import { TextLineCell } from '../plain.web.tsx'
import type { CellProps, FilterProps, WebFieldKind } from '../web-kind.ts'

const TreePicker = lazy(() => import('#kit/web/inputs/tree-picker.tsx'))

function TreeCell({ name, field, value, row, place }: CellProps) {
  const t = useLocalize()
  if ((!value || String(value) === '0') && isParentFieldName(name))
    return <span className="kit-quiet">{t(words.topLevel)}</span>
  return (
    <TextLineCell value={row[valueLabelKeyOf(name, field)] || (String(value) === '0' ? '' : value)} place={place} />
  )
}

function TreeFilter({ field, value, onChange, id }: FilterProps) {
  return <TreePicker to={field.to!} value={value} onChange={onChange} id={id} placeholder={useLocalize()(words.pick)} />
}

export const treeWebKind: WebFieldKind = {
  Cell: TreeCell,
  Input: lazy(() => import('./tree-input.web.tsx')),
  Filter: TreeFilter,
  FilterText: RefText,
  width: 150,
  drawsBlank: true,
  drawnAs: 'text',
  savesOnChoice: true,
}
